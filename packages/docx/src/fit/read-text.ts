import { faceOf } from "./font-metrics.ts";
import { type Measured, type Segment, SegmentReader } from "./segments.ts";
import {
  type ParagraphFormat,
  type RunFormat,
  readParagraphFormat,
  readRunFormat,
} from "./text-format.ts";
import type { TablePlace, TextStyles } from "./text-styles.ts";
import { attributeOf, childOf, numberOf, unescaped, type XmlElement } from "./xml-tree.ts";

/** A run, or the mark of a paragraph. Sizes are in half points. */
export interface SizedRun {
  readonly size: number;
  /** The smallest size; null if the run keeps its size. */
  readonly minimum: number | null;
  /** For the mark of a paragraph whose whole text shrinks: the first run of the text. The mark is never larger. */
  readonly marks: number | null;
  /** The distance between two lines, in ems. */
  line: number;
  /** The width of characters, compared to the usual one. */
  readonly scale: number;
  /** Space after each character, in twentieths of a point. */
  readonly spacing: number;
  /** The `w:r`, or the `w:p` of a mark. */
  readonly element: XmlElement;
}

/** A paragraph, divided into what a line can hold. */
export interface ReadParagraph {
  readonly style: string | null;
  readonly format: ParagraphFormat;
  readonly segments: readonly Segment[];
  /** The index of its mark among the runs. */
  readonly mark: number;
  /** Whether some of its text shrinks. */
  readonly shrinks: boolean;
}

/** The text of a box. */
export interface BoxText {
  readonly runs: readonly SizedRun[];
  readonly paragraphs: readonly ReadParagraph[];
  /** The number of characters, or more than the limit if reading ended there. */
  readonly characters: number;
  /** Why the sizes are only estimates, as sentences without a full stop. */
  readonly doubts: ReadonlySet<string>;
}

/** The styles of a text, and which parts of it shrink. */
interface Reading {
  readonly styles: TextStyles;
  readonly table: TablePlace | null;
  /** The smallest size of all text, in half points, or 0 for the usual one; null if only marked runs shrink. */
  readonly all: number | null;
}

/**
 * The element that marks a run whose text shrinks. `w:val` is its smallest size in half points, or 0 for the usual one.
 * It is written during rendering only, and removed before the output is complete.
 */
export const SHRINK_MARK = "w:shrink";

/** More characters than this do not fit on the largest page. */
export const MAX_CHARACTERS = 100_000;

/** The smallest size without an argument: half of the size of the text, but not below this number of half points. */
const USUAL_MINIMUM = 12;

/** Reads the text of a box from its content. */
export function readBoxText(content: XmlElement, xml: string, reading: Reading): BoxText {
  const reader = new BoxReader(xml, reading);
  reader.blocks(content);
  return reader;
}

/** How the characters of a run are measured, and whether the widths of its font are known. */
type Read = Measured & { readonly isKnown: boolean };

/** Elements around paragraphs, or around runs, that do not change how text is measured. */
const AROUND: ReadonlySet<string> = new Set(
  "w:sdt w:sdtContent w:customXml w:ins w:moveTo w:hyperlink w:smartTag w:fldSimple w:dir w:bdo".split(
    " ",
  ),
);

class BoxReader implements BoxText {
  readonly runs: SizedRun[] = [];
  readonly paragraphs: ReadParagraph[] = [];
  readonly doubts = new Set<string>();
  characters = 0;
  readonly #xml: string;
  readonly #reading: Reading;

  constructor(xml: string, reading: Reading) {
    this.#xml = xml;
    this.#reading = reading;
  }

  blocks(parent: XmlElement): void {
    for (const child of parent.children) {
      if (child.name === "w:p") this.#paragraph(child);
      else if (child.name === "w:tbl") this.doubts.add("a table in it is not measured");
      else if (AROUND.has(child.name)) this.blocks(child);
    }
  }

  #paragraph(element: XmlElement): void {
    const { styles, table } = this.#reading;
    const properties = childOf(element, "w:pPr");
    const style = attributeOf(childOf(properties, "w:pStyle"), "w:val") ?? null;
    const base = styles.ofParagraph(style, table);
    const format = { ...base.paragraph, ...readParagraphFormat(properties) };
    const segments = new SegmentReader();
    const first = this.runs.length;
    this.#inline(element, base.run, segments);
    const read = this.runs.slice(first);
    const isWhole = read.length > 0 && read.every(({ minimum }) => minimum !== null);
    this.#run(element, childOf(properties, "w:rPr"), base.run, isWhole ? first : null);
    if (segments.hasGuess) this.doubts.add(UNKNOWN_CHARACTERS);
    if (format.isNumbered === true) this.doubts.add("the numbers of a list are not measured");
    if (format.hasTabs === true && segments.segments.some(({ kind }) => kind === "tab")) {
      this.doubts.add("its tab stops are not measured");
    }
    this.paragraphs.push({
      style,
      format: format.isNumbered === true ? inList(format) : format,
      segments: segments.segments,
      mark: this.runs.length - 1,
      shrinks:
        read.some(({ minimum }) => minimum !== null) &&
        segments.segments.some(({ kind }) => kind === "word"),
    });
  }

  #inline(parent: XmlElement, base: RunFormat, segments: SegmentReader): void {
    for (const child of parent.children) {
      if (child.name === "w:r") this.#textRun(child, base, segments);
      else if (child.name.startsWith("m:")) this.doubts.add("an equation in it is not measured");
      else if (AROUND.has(child.name)) this.#inline(child, base, segments);
    }
  }

  #textRun(element: XmlElement, base: RunFormat, segments: SegmentReader): void {
    const { run, format, measured } = this.#run(element, childOf(element, "w:rPr"), base);
    if (format.hidden === true) return;
    const index = this.runs.length - 1;
    for (const child of element.children) {
      const text = this.#textOf(child);
      if (text === "") this.#picture(child, segments);
      else if (this.characters <= MAX_CHARACTERS) {
        this.characters += text.length;
        const isOfOther = segments.text(text, index, measured);
        if (isOfOther) run.line = Math.max(run.line, OTHER_LINE);
        if (!measured.isKnown)
          this.doubts.add(`the widths of the font ${quoted(format.font)} are not known`);
      }
    }
  }

  /** Adds a run, or a mark. */
  #run(
    element: XmlElement,
    properties: XmlElement | undefined,
    base: RunFormat,
    marks: number | null = null,
  ): { readonly run: SizedRun; readonly format: RunFormat; readonly measured: Read } {
    const { styles, all } = this.#reading;
    const style = attributeOf(childOf(properties, "w:rStyle"), "w:val");
    const own = readRunFormat(properties, styles.theme);
    const format = { ...base, ...(style !== undefined && styles.ofCharacters(style)), ...own };
    const { font = "", size = 20 } = format;
    const found = faceOf(font, format.bold === true, format.italic === true);
    const marked = numberOf(childOf(properties, SHRINK_MARK), "w:val") ?? all;
    const raised = format.isRaised === true ? RAISED : 1;
    const run = {
      size,
      minimum: marked === null || marks !== null ? null : minimumOf(size, marked),
      marks,
      line: found.face.line,
      scale: ((format.scale ?? 100) / 100) * raised * (found.isKnown ? 1 : UNKNOWN_FONT),
      spacing: format.spacing ?? 0,
      element,
    };
    this.runs.push(run);
    const { caps = false, smallCaps = false } = format;
    return { run, format, measured: { ...found, caps, smallCaps } };
  }

  #textOf({ name, inner, innerEnd, attributes }: XmlElement): string {
    if (name === "w:t") return unescaped(this.#xml.slice(inner, innerEnd));
    if (name === "w:ptab" || name === "w:tab") return "\t";
    if (name === "w:sym") this.doubts.add(UNKNOWN_CHARACTERS);
    if (name === "w:br" && attributes.includes('w:type="page"')) return "";
    return TEXTS.get(name) ?? "";
  }

  #picture(element: XmlElement, segments: SegmentReader): void {
    const drawing = drawingIn(element);
    if (drawing === undefined) return;
    const extent = childOf(childOf(drawing, "wp:inline"), "wp:extent");
    const [width, height] = [numberOf(extent, "cx"), numberOf(extent, "cy")];
    if (width !== undefined && height !== undefined) {
      segments.picture(width / EMU_PER_TWIP, height / EMU_PER_TWIP);
    } else if (drawing.name !== "w:drawing") this.doubts.add("a picture in it is not measured");
  }
}

/** Text that elements stand for. */
const TEXTS: ReadonlyMap<string, string> = new Map([
  ["w:br", "\n"],
  ["w:cr", "\n"],
  ["w:noBreakHyphen", "\u2011"],
  ["w:sym", "\u25a1"],
  ["w:footnoteReference", "10"],
  ["w:endnoteReference", "10"],
]);

const EMU_PER_TWIP = 635;

/** The size of raised and lowered text, compared to its size. */
const RAISED = 0.65;

/** The distance between two lines with characters of other fonts, in ems. Fonts of East Asia have high lines. */
const OTHER_LINE = 1.45;

const UNKNOWN_CHARACTERS = "the widths of some of its characters are not known";

/** The factor for the widths of a font that is measured as Arial. */
const UNKNOWN_FONT = 1.1;

function drawingIn(element: XmlElement): XmlElement | undefined {
  if (["w:drawing", "w:pict", "w:object"].includes(element.name)) return element;
  if (element.name !== "mc:AlternateContent") return undefined;
  return childOf(childOf(element, "mc:Choice"), "w:drawing");
}

function minimumOf(size: number, given: number): number {
  return Math.min(size, given > 0 ? given : Math.max(Math.ceil(size / 2), USUAL_MINIMUM));
}

/** Returns the format of a numbered paragraph. Its text begins after the number, where its other lines begin. */
function inList(format: ParagraphFormat): ParagraphFormat {
  const { left = LIST_INDENT, first = 0 } = format;
  return { ...format, left, first: Math.max(first, 0) };
}

/** The indent of a list that does not set one, in twentieths of a point. */
const LIST_INDENT = 720;

function quoted(font = ""): string {
  return `'${font.slice(0, 60)}'`;
}
