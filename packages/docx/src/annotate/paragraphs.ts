import { unescapeXml } from "@quire/ooxml/internal/xml/escape";
import { NamespaceScope } from "@quire/ooxml/internal/xml/namespaces";
import { type ScanBounds, type ScanHandler, scanXml } from "@quire/ooxml/internal/xml/scan";
import type { ScannedTag } from "@quire/ooxml/internal/xml/scan-tag";
import { AuthorCount } from "../template/nodes/author-count.ts";
import { attributeOf, declarationFor, namespaceOf, numberOf, TRANSITIONAL } from "./xml.ts";

/** A range of children of a paragraph, by their indexes (inclusive). */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** A piece of the text of a paragraph. */
export interface TextPiece {
  readonly text: string;
  /** The index of the paragraph's child that contains the text. */
  readonly child: number;
  /** Whether the piece is an element that counts as a character only within a tag: a tab or a line break. */
  readonly isMark: boolean;
}

/** A paragraph that is not inside another paragraph, so that comments may be anchored in it. */
export interface Paragraph {
  /** The range of the paragraph's content, without its properties, as byte offsets. */
  readonly from: number;
  readonly to: number;
  /** The markup to write around comments, in place of `from` to `to`; null if the paragraph has content. */
  readonly around: readonly [before: string, after: string] | null;
  /** The byte offsets of the paragraph's children, without its properties. Children are mostly runs. */
  readonly children: readonly { readonly start: number; readonly end: number }[];
  /** The paragraph's own text, without the text of text boxes in it. */
  readonly pieces: readonly TextPiece[];
  /** The range of children that each field occupies in this paragraph. */
  readonly fields: readonly Span[];
  /** Whether a content control around paragraphs begins with this paragraph. */
  readonly startsControl: boolean;
  /** See {@link declarationFor}. */
  readonly declaration: string;
}

/** The position of a paragraph that was found by its number. */
export interface FoundParagraph {
  /** The paragraph itself, or the outermost paragraph around it. */
  readonly paragraph: Paragraph;
  /**
   * The index of the outermost paragraph's child that contains the paragraph; null if it is the outermost paragraph
   * itself.
   */
  readonly child: number | null;
}

/** The paragraphs to find. */
export interface WantedParagraphs {
  readonly numbers: ReadonlySet<number>;
  /** Returns the names of the templates that text includes; null if they are not needed. */
  readonly includes: ((text: string) => readonly string[]) | null;
}

/** What annotation needs to know about a main part. */
export interface ParagraphMap {
  /** The first paragraph of the body, or the position at which to insert one if the body has no paragraphs. */
  readonly first: Paragraph;
  /** The requested paragraphs that exist. */
  readonly found: ReadonlyMap<number, FoundParagraph>;
  /** The first paragraph in which each template is included. */
  readonly including: ReadonlyMap<string, FoundParagraph>;
  /** The ids by which the part refers to comments. */
  readonly commentIds: ReadonlySet<number>;
  /** The namespace of Word's elements in the part. */
  readonly namespace: string;
}

/**
 * Finds paragraphs of a main part by their numbers. Paragraphs are numbered from 1 in the order of their start tags, as
 * in the compiler, including paragraphs in text boxes. The XML need not be canonical.
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

/** The paragraph elements in whose text the compiler looks for tags. */
const TEXTS: ReadonlySet<string> = new Set(["w:t", "m:t", "w:instrText"]);

/** Elements that the compiler treats as a character within a tag. */
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

/** A position at which to insert content. */
type Gap = Pick<Paragraph, "from" | "to" | "around">;

/** Returns the position inside an element without content. `before` and `after` are written around the new content. */
function gapIn({ name, empty, end }: ScannedTag, before = "", after = ""): Gap {
  return empty
    ? { from: end - "/>".length, to: end, around: [`>${before}`, `${after}</${name}>`] }
    : { from: end, to: end, around: [before, after] };
}

/** A paragraph that is being read and is not inside another paragraph. */
interface OpenParagraph {
  readonly depth: number;
  readonly number: number;
  readonly declaration: string;
  readonly children: { readonly start: number; end: number }[];
  readonly pieces: TextPiece[];
  readonly fields: Span[];
  /** The child in which each open field began. */
  readonly open: number[];
  /** The requested paragraphs in this paragraph. */
  readonly inner: {
    readonly number: number;
    readonly child: number;
  }[];
  readonly startsControl: boolean;
  /** The position inside the element; null unless the element is empty. */
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
  /** Whether a content control is open that does not yet contain a paragraph. */
  #startsControl = false;
  #outer: OpenParagraph | null = null;
  /** The number of open paragraphs, and the number of open `w:moveFrom` elements. */
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

  /** Records where to insert a paragraph into a body without paragraphs. */
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
    // The compiler treats text that was moved away as deleted.
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

/** Keeps the first entry, because both copies of a text box have the same paragraph numbers. */
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
  // Text without a preceding child comes from the tab stops in the paragraph's properties.
  if (child >= 0) pieces.push({ text, child, isMark });
}

/** Follows nested fields, and records the children of each. */
function noteField({ children, open, fields }: OpenParagraph, type: string | null): void {
  const last = children.length - 1;
  if (type === "begin") open.push(last);
  const first = type === "end" ? open.pop() : undefined;
  if (first !== undefined) fields.push({ first, last });
}
