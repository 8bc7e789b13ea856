import { NamespaceScope } from "../package/namespaces.ts";
import { type ScanBounds, type ScanHandler, scanXml } from "../package/scan.ts";
import { type ScannedTag, unescapeXml } from "../package/scan-tag.ts";
import { AuthorCount } from "../template/author-count.ts";
import {
  attributeOf,
  declarationFor,
  namespaceOf,
  numberOf,
  TRANSITIONAL,
} from "./annotate-xml.ts";

/** From one child of a paragraph to another, by their indices, both included. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** A piece of the text of a paragraph. */
export interface TextPiece {
  readonly text: string;
  /** The index of the paragraph's child in which it stands. */
  readonly child: number;
  /** Whether it is an element that counts as a character, and only within a tag: a tab, a line break. */
  readonly isMark: boolean;
}

/** A paragraph that stands in no other one, so that comments may be anchored in it. */
export interface Paragraph {
  /** Where its content begins, behind its properties, and where it ends. */
  readonly from: number;
  readonly to: number;
  /** What has to be written around comments when it has no content yet, in place of `from` to `to`. */
  readonly around: readonly [before: string, after: string] | null;
  /** Where its children stand, properties apart: mostly runs. */
  readonly children: readonly { readonly start: number; readonly end: number }[];
  /** Its own text, without that of text boxes in it. */
  readonly pieces: readonly TextPiece[];
  /** The children over which each field stretches, as far as it does within this paragraph. */
  readonly fields: readonly Span[];
  /** Whether a content control around paragraphs begins with it. */
  readonly startsControl: boolean;
  /** See {@link declarationFor}. */
  readonly declaration: string;
}

/** Where the paragraph with a certain number is. */
export interface FoundParagraph {
  /** Itself, or the outermost paragraph around it. */
  readonly paragraph: Paragraph;
  /** The index of that one's child in which it stands; null when it is that paragraph itself. */
  readonly child: number | null;
}

/** Which paragraphs have to be found. */
export interface WantedParagraphs {
  readonly numbers: ReadonlySet<number>;
  /** Tells the names of the templates that a text includes; null when they are not asked for. */
  readonly includes: ((text: string) => readonly string[]) | null;
}

/** What has to be known of a main part to annotate it. */
export interface ParagraphMap {
  /** The first paragraph of the body, or the place for one when there is none. */
  readonly first: Paragraph;
  /** The paragraphs that were asked for, as far as they are there. */
  readonly found: ReadonlyMap<number, FoundParagraph>;
  /** Where each template is included, the first time. */
  readonly including: ReadonlyMap<string, FoundParagraph>;
  /** The ids by which it refers to comments. */
  readonly commentIds: ReadonlySet<number>;
  /** The namespace of Word's elements in it. */
  readonly namespace: string;
}

/**
 * Finds paragraphs of a main part by their numbers. They are counted as the compiler counts them: at
 * their start tags, from 1, those in text boxes included. The XML may be spelled in any way.
 */
export function mapParagraphs(
  part: string,
  xml: Buffer,
  wanted: WantedParagraphs,
  bounds?: ScanBounds,
): ParagraphMap {
  const scanner = new ParagraphScanner(xml, wanted);
  scanXml(part, xml, scanner, bounds);
  return scanner.finish();
}

/** The elements of paragraphs whose text the compiler looks for tags in. */
const TEXTS: ReadonlySet<string> = new Set(["w:t", "m:t", "w:instrText"]);

/** What the compiler takes for a character when it stands within a tag. */
const MARKS: ReadonlyMap<string, string> = new Map([
  ["w:tab", " "],
  ["w:br", " "],
  ["w:cr", " "],
  ["w:noBreakHyphen", "-"],
]);

const COMMENT_MARKS: ReadonlySet<string> = new Set([
  "w:commentRangeStart",
  "w:commentRangeEnd",
  "w:commentReference",
]);

/** Where something can be written that has no place yet. */
type Gap = Pick<Paragraph, "from" | "to" | "around">;

/** The place within an element without content; `before` and `after` are to stand around what comes there. */
function gapIn({ name, empty, end }: ScannedTag, before = "", after = ""): Gap {
  return empty
    ? { from: end - "/>".length, to: end, around: [`>${before}`, `${after}</${name}>`] }
    : { from: end, to: end, around: [before, after] };
}

/** A paragraph that is being read, and stands in no other one. */
interface OpenParagraph {
  readonly depth: number;
  readonly number: number;
  readonly declaration: string;
  readonly children: { readonly start: number; end: number }[];
  readonly pieces: TextPiece[];
  readonly fields: Span[];
  /** The child in which each field began that has not ended yet. */
  readonly open: number[];
  /** The paragraphs in it that were asked for. */
  readonly inner: {
    readonly number: number;
    readonly child: number;
  }[];
  readonly startsControl: boolean;
  /** Null unless it is an empty element. */
  readonly gap: Gap | null;
  from: number;
}

class ParagraphScanner implements ScanHandler {
  readonly #xml: Buffer;
  readonly #wanted: WantedParagraphs;
  readonly #scope = new NamespaceScope();
  /** The usual names of the open elements. */
  readonly #open: string[] = [];
  readonly #found = new Map<number, FoundParagraph>();
  readonly #including = new Map<string, FoundParagraph>();
  readonly #commentIds = new Set<number>();
  readonly #count = new AuthorCount();
  /** Whether a content control has begun and no paragraph stood in it yet. */
  #startsControl = false;
  #outer: OpenParagraph | null = null;
  /** How many paragraphs are open, one inside the other; likewise of what follows. */
  #paragraphs = 0;
  #movedAway = 0;
  #isText = false;
  #first: Paragraph | null = null;
  #body: Paragraph | null = null;
  #namespace = TRANSITIONAL;

  constructor(xml: Buffer, wanted: WantedParagraphs) {
    this.#xml = xml;
    this.#wanted = wanted;
  }

  open(tag: ScannedTag): void {
    if (tag.declares) this.#scope.enter(tag.depth, tag.attributes());
    const name = this.#scope.element(tag.name);
    this.#count.open(name);
    const outer = this.#outer;
    const isChild = outer !== null && tag.depth === outer.depth + 1;
    if (isChild && name !== "w:pPr") outer.children.push({ start: tag.start, end: tag.end });
    if (name === "w:p") this.#enterParagraph(tag);
    else if (name === "w:body" || tag.depth === 0) this.#enterBody(tag, name === "w:body");
    else if (name === "w:moveFrom") this.#movedAway += 1;
    else if (name === "w:sdtContent") this.#startsControl = outer === null;
    else if (name === "w:tr" && this.#open.at(-1) === "w:sdtContent") this.#startsControl = false;
    else if (COMMENT_MARKS.has(name)) this.#noteComment(tag);
    else if (outer !== null && this.#paragraphs === 1) this.#content(outer, tag, name);
    if (tag.empty) this.#leave(name, tag.depth, tag.start, tag.end);
    else this.#open.push(name);
  }

  close(depth: number, start: number, end: number): void {
    this.#leave(this.#open.pop() ?? "", depth, start, end);
  }

  text(from: number, to: number, literal: boolean): void {
    if (!this.#isText || this.#outer === null) return;
    const written = this.#xml.toString("utf8", from, to);
    addPiece(this.#outer, literal ? written : unescapeXml(written), false);
  }

  finish(): ParagraphMap {
    const first = this.#first ?? this.#body;
    if (first === null) throw new Error("A part without a root was read to its end.");
    const [found, including] = [this.#found, this.#including];
    return { first, found, including, commentIds: this.#commentIds, namespace: this.#namespace };
  }

  #enterParagraph(tag: ScannedTag): void {
    this.#paragraphs += 1;
    const number = this.#count.paragraphs;
    if (this.#outer !== null) {
      const child = this.#outer.children.length - 1;
      if (this.#wanted.numbers.has(number)) this.#outer.inner.push({ number, child });
      return;
    }
    this.#outer = {
      depth: tag.depth,
      number,
      declaration: declarationFor(this.#scope, namespaceOf(this.#scope, tag.name)),
      ...{ children: [], pieces: [], fields: [], open: [], inner: [] },
      startsControl: this.#startsControl,
      gap: tag.empty ? gapIn(tag) : null,
      from: tag.end,
    };
    this.#startsControl = false;
  }

  /** Notes where a paragraph can be put if there is none. */
  #enterBody(tag: ScannedTag, isBody: boolean): void {
    this.#namespace = namespaceOf(this.#scope, tag.name);
    const declaration = declarationFor(this.#scope, this.#namespace);
    const [before, after] = [`<w:p${declaration}>`, "</w:p>"];
    const gap = isBody
      ? gapIn(tag, before, after)
      : gapIn(tag, `<w:body${declaration}>${before}`, `${after}</w:body>`);
    const empty = { children: [], pieces: [], fields: [], startsControl: false };
    this.#body = { ...gap, ...empty, declaration };
  }

  #noteComment(tag: ScannedTag): void {
    const id = numberOf(this.#scope, tag, "w:id");
    if (id !== null) this.#commentIds.add(id);
  }

  #content(outer: OpenParagraph, tag: ScannedTag, name: string): void {
    const mark = MARKS.get(name);
    if (mark !== undefined) addPiece(outer, mark, true);
    // The compiler takes text that was moved away for deleted.
    else if (TEXTS.has(name)) this.#isText = name !== "w:t" || this.#movedAway === 0;
    else if (name === "w:fldChar") {
      noteField(outer, attributeOf(this.#scope, tag, "w:fldCharType"));
    }
  }

  #leave(name: string, depth: number, start: number, end: number): void {
    const outer = this.#outer;
    if (TEXTS.has(name)) this.#isText = false;
    else if (name === "w:moveFrom") this.#movedAway -= 1;
    else if (name === "w:p") this.#paragraphs -= 1;
    else if (name === "w:sdtContent") this.#startsControl = false;
    this.#count.close(name);
    if (outer !== null && depth === outer.depth + 1) endChild(outer, name, end);
    if (outer !== null && depth === outer.depth) this.#leaveParagraph(outer, start);
    this.#scope.leave(depth);
  }

  #leaveParagraph(outer: OpenParagraph, to: number): void {
    const { number, from, children, pieces, fields, inner, startsControl, declaration } = outer;
    this.#outer = null;
    const last = children.length - 1;
    for (const first of outer.open) fields.push({ first, last });
    const gap = outer.gap ?? { from, to, around: null };
    const paragraph = { ...gap, children, pieces, fields, startsControl, declaration };
    this.#first ??= paragraph;
    const own = { paragraph, child: null };
    if (this.#wanted.numbers.has(number)) setFirst(this.#found, number, own);
    for (const { number, child } of inner) setFirst(this.#found, number, { paragraph, child });
    const names = this.#wanted.includes?.(pieces.map(({ text }) => text).join("")) ?? [];
    for (const name of names) setFirst(this.#including, name, own);
  }
}

/** Of the copies of a text box the first is kept, which has the same numbers. */
function setFirst<K>(map: Map<K, FoundParagraph>, key: K, found: FoundParagraph): void {
  if (!map.has(key)) map.set(key, found);
}

function endChild(outer: OpenParagraph, name: string, end: number): void {
  const child = outer.children.at(-1);
  if (name === "w:pPr" && child === undefined) outer.from = end;
  if (name !== "w:pPr" && child !== undefined) child.end = end;
}

function addPiece({ children, pieces }: OpenParagraph, text: string, isMark: boolean): void {
  const child = children.length - 1;
  // What has no child before it stands in the properties: the tab stops.
  if (child >= 0) pieces.push({ text, child, isMark });
}

/** Follows the fields, one inside the other, and notes over which children they stretch. */
function noteField({ children, open, fields }: OpenParagraph, type: string | null): void {
  const last = children.length - 1;
  if (type === "begin") open.push(last);
  const first = type === "end" ? open.pop() : undefined;
  if (first !== undefined) fields.push({ first, last });
}
