import type { RichContext, RichStyleName } from "./context.ts";
import { HANGING, markerText } from "./list-markers.ts";
import {
  type BlockPlace,
  LIST_INDENT,
  type RichItem,
  type RichList,
  type RichParagraph,
  type RichRule,
  type RichText,
} from "./model.ts";
import {
  type Properties,
  paragraphPropertiesXml,
  readProperties,
  runPropertiesXml,
  valued,
} from "./properties.ts";
import { type Look, lookWith, plainLook, writeRuns } from "./write-runs.ts";

/**
 * Maximum number of lists in one value. Each ordered list has its own definition, and Word supports about
 * 2,000.
 */
const MAX_LISTS = 500;

/** Maximum start number of a list in Word. */
const MAX_START = 32_767;

/** The size of a heading of each level relative to the text, as in browsers. */
const HEADING_SCALES = [1, 2, 1.5, 1.17, 1, 0.83, 0.67];

/** The indent of a block quote, in twentieths of a point. */
const QUOTE_INDENT = 720;

/** Properties of the tag's paragraph that would break the layout of a table cell. */
const NOT_IN_CELLS = ["w:ind", "w:spacing", "w:keepNext", "w:framePr", "w:pBdr", "w:tabs"];

/** Properties that a heading style sets. Those of the tag's paragraph are therefore not used. */
const OF_HEADING_STYLE = [
  "w:pStyle",
  "w:numPr",
  "w:spacing",
  "w:contextualSpacing",
  "w:outlineLvl",
  "w:rPr",
];

/** Run properties that are kept in a heading with a style. */
const KEPT_IN_HEADINGS = ["w:noProof", "w:vanish", "w:webHidden", "w:rtl", "w:cs", "w:lang"];

/** Run properties that the marker of an item copies from the text of the tag. */
const OF_MARKERS = [
  "w:rFonts",
  "w:b",
  "w:bCs",
  "w:i",
  "w:iCs",
  "w:vanish",
  "w:color",
  "w:sz",
  "w:szCs",
  "w:lang",
];

/** Writes the paragraphs of one value. */
export class ParagraphWriter {
  readonly context: RichContext;
  readonly #plain: Look;
  readonly #properties: Properties;
  readonly #looks = new Map<string, Look>();
  readonly #numIds = new Map<RichList | string, number | null>();
  /** The `w:pageBreakBefore` of the tag's paragraph, for the next paragraph only. */
  #pageBreak: string | undefined;

  /** `continues` says whether text precedes the value in the tag's own paragraph. */
  constructor(context: RichContext, continues: boolean) {
    this.context = context;
    this.#plain = plainLook(context);
    const properties = new Map(readProperties(context.paragraphProperties));
    const pageBreak = properties.get("w:pageBreakBefore");
    this.#pageBreak = continues ? undefined : pageBreak;
    for (const name of ["w:pageBreakBefore", "w:sectPr"]) properties.delete(name);
    const mark = properties.get("w:rPr");
    if (mark !== undefined) properties.set("w:rPr", markXml(mark));
    this.#properties = properties;
  }

  /** Writes a paragraph. `cell` says whether it is in a table. */
  paragraph(paragraph: RichParagraph, cell: boolean): string {
    const { heading, item, align, direction, runs } = paragraph;
    const properties = this.#around(cell);
    const style = this.#style(paragraph, properties);
    if (direction !== null) {
      properties.set("w:bidi", direction === "rtl" ? "<w:bidi/>" : '<w:bidi w:val="0"/>');
    }
    const rtl = isOn(properties.get("w:bidi"));
    if (align !== null) properties.set("w:jc", valued("w:jc", JUSTIFICATIONS[rtl ? 1 : 0][align]));
    const numId = item === null || item.continuation ? null : this.#numId(item.list);
    this.#indent(paragraph, numId, style === "quote", properties);
    const look = this.#look(heading, style === "heading", rtl);
    const marker = item !== null && !item.continuation && numId === null ? [markerRun(item)] : [];
    return `<w:p>${paragraphPropertiesXml(properties)}${writeRuns([...marker, ...runs], this.context, look)}</w:p>`;
  }

  /** Writes a line across the page. */
  rule(rule: RichRule, cell: boolean): string {
    const properties = this.#around(cell);
    properties.set(
      "w:pBdr",
      '<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="auto"/></w:pBdr>',
    );
    this.#indent({ ...rule, item: null }, null, false, properties);
    return `<w:p>${paragraphPropertiesXml(properties)}</w:p>`;
  }

  /** Writes a paragraph without text, in a place where Word needs one. */
  empty(cell: boolean): string {
    return `<w:p>${paragraphPropertiesXml(this.#around(cell))}</w:p>`;
  }

  #around(cell: boolean): Map<string, string> {
    const properties = new Map(this.#properties);
    if (cell) for (const name of NOT_IN_CELLS) properties.delete(name);
    if (this.#pageBreak !== undefined) properties.set("w:pageBreakBefore", this.#pageBreak);
    this.#pageBreak = undefined;
    return properties;
  }

  /** Sets the style and returns its kind. Returns null if the tag's own style is kept. */
  #style(
    { heading, item, quote }: RichParagraph,
    properties: Map<string, string>,
  ): "heading" | "quote" | "list" | null {
    if (heading > 0) {
      const style = this.context.style(`heading ${heading}` as RichStyleName);
      if (style === null) {
        properties.set("w:keepNext", "<w:keepNext/>");
        properties.set("w:outlineLvl", valued("w:outlineLvl", heading - 1));
        return null;
      }
      for (const name of OF_HEADING_STYLE) properties.delete(name);
      properties.set("w:pStyle", valued("w:pStyle", style));
      return "heading";
    }
    // A style of the tag's paragraph also determines how its text looks in a list.
    const own = properties.has("w:pStyle");
    const kind = item !== null ? "list" : quote > 0 ? "quote" : null;
    if (kind === null || (kind === "list" && own)) return null;
    const style = this.context.style(kind === "list" ? "list paragraph" : "quote");
    if (style === null) return null;
    properties.set("w:pStyle", valued("w:pStyle", style));
    return kind;
  }

  #indent(
    block: BlockPlace & { readonly item: RichItem | null },
    numId: number | null,
    quoteStyle: boolean,
    properties: Map<string, string>,
  ): void {
    const { item } = block;
    // A style for quotes has an indent, but it is the same for all levels.
    const quotes = quoteStyle && block.quote === 1 ? 0 : block.quote;
    const extra = block.indent + quotes * QUOTE_INDENT;
    const left = block.listDepth * LIST_INDENT + extra;
    const around = properties.get("w:ind") ?? "";
    const base = Number(/ w:(?:left|start)="(-?\d{1,6})"/.exec(around)?.[1] ?? 0);
    const right = / w:(?:right|end)="-?\d{1,6}"/.exec(around)?.[0] ?? "";
    if (item === null || item.continuation) {
      if (left > 0) properties.set("w:ind", `<w:ind w:left="${base + left}"${right}/>`);
      return;
    }
    properties.delete("w:ind");
    if (numId !== null) {
      properties.set(
        "w:numPr",
        `<w:numPr>${valued("w:ilvl", item.list.level)}${valued("w:numId", numId)}</w:numPr>`,
      );
      const mark = runPropertiesXml(pick(this.#plain.around, OF_MARKERS));
      if (!properties.has("w:rPr") && mark !== "") properties.set("w:rPr", mark);
    }
    // The list definition has indents, but these do not include the indents of the surrounding elements.
    if (numId === null || base + extra !== 0) {
      const place = `<w:ind w:left="${base + left}"${right} w:hanging="${HANGING}"/>`;
      properties.set("w:ind", place);
    }
  }

  /**
   * Returns the look of a paragraph. Returns the same object for the same kind, because the object caches written
   * formats.
   */
  #look(heading: number, styled: boolean, rtl: boolean): Look {
    const key = `${heading} ${styled} ${rtl}`;
    const known = this.#looks.get(key);
    if (known !== undefined) return known;
    const { around, size } = this.#plain;
    const scale = HEADING_SCALES[heading] ?? 1;
    const look =
      heading === 0
        ? lookWith(around, size, {}, rtl)
        : styled
          ? lookWith(pick(around, KEPT_IN_HEADINGS), size * scale, {}, rtl)
          : lookWith(around, size * scale, { bold: true, size: { scale: 1 } }, rtl);
    this.#looks.set(key, look);
    return look;
  }

  /**
   * Returns the numId of a list, or null if its numbers must be written as text. Bullets are not numbered, so one
   * definition is enough for each symbol.
   */
  #numId(list: RichList): number | null {
    const { kind, start, text } = list;
    const key = kind === "bullet" ? (text ?? kind) : list;
    const known = this.#numIds.get(key);
    if (known !== undefined) return known;
    if (kind !== "bullet" && (start < 0 || start > MAX_START)) return null;
    if (this.#numIds.size >= MAX_LISTS) {
      this.context.warn(
        "markup_limit",
        `The rich text contains more than ${MAX_LISTS} ordered lists; the numbers of the others were written as text.`,
      );
      return null;
    }
    const numId = this.context.list(list);
    this.#numIds.set(key, numId);
    if (numId === null) {
      this.context.warn(
        "markup_limit",
        "The document has as many lists as Word supports; the bullets and numbers of the others were written as text.",
      );
    }
    return numId;
  }
}

/**
 * The values of `w:jc` for left-to-right and right-to-left lines. For right-to-left lines, Word's left is the
 * start.
 */
const JUSTIFICATIONS = [
  { start: "left", left: "left", end: "right", right: "right", center: "center", justify: "both" },
  { start: "left", left: "right", end: "right", right: "left", center: "center", justify: "both" },
] as const;

function isOn(xml: string | undefined): boolean {
  return xml !== undefined && !/ w:val="(?:0|false|off)"/.test(xml);
}

function pick(properties: Properties, names: readonly string[]): Properties {
  return new Map([...properties].filter(([name]) => names.includes(name)));
}

/** Returns the formatting of a paragraph mark, without tracked insertion or deletion. */
function markXml(rPr: string): string {
  return runPropertiesXml(readProperties(rPr.replace(/^<w:rPr\/?>|<\/w:rPr>$/g, "")));
}

function markerRun({ list, number }: RichItem): RichText {
  return { kind: "text", text: `${markerText(list, number)}\t`, format: {}, href: null };
}
