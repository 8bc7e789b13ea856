import { unescapeText } from "../package/xml.ts";
import { readBraces, type Span } from "./braces.ts";
import type { Delimiters } from "./delimiters.ts";
import { INNER, readsAsTag } from "./scan.ts";

/** The elements of the document's properties (ECMA-376 part 1, 15.2.12 and 22.3; part 2, 11), each a text of its own. */
export const PROPERTY_ELEMENTS = [
  ...["dc:title", "dc:subject", "dc:creator", "dc:description"],
  ...["cp:keywords", "cp:category", "cp:contentStatus"],
  ...["vt:lpwstr", "vt:lpstr", "Company", "Manager", "HyperlinkBase"],
];

/** Elements whose texts join to that of their paragraph: also of equations and of the instructions of fields. */
const PARAGRAPH_ELEMENTS = ["w:t", "m:t", "w:instrText"];

/** The elements whose text may hold tags. */
export const TEXT_ELEMENTS = [...PARAGRAPH_ELEMENTS, ...PROPERTY_ELEMENTS];

/** A piece of text within the XML of a part. */
interface Segment {
  readonly text: string;
  /** Where it begins; what stands between two pieces of text has no length there. */
  readonly start: number;
  readonly isInstruction: boolean;
}

/** A part in which the delimiters that the lexer must not see are hidden. */
export interface HiddenDelimiters {
  readonly xml: string;
  /** The first of the code points that stand for the characters of the delimiters; null when none is hidden. */
  readonly first: number | null;
  /** Tags with the backslashes before them that probably mean something else than they do. */
  readonly doubtful: readonly DoubtfulTag[];
}

/** A tag with a backslash before it that may be one of a path. */
export interface DoubtfulTag {
  /** The tag as it is written, with the backslashes. */
  readonly text: string;
  /** The text around it in its paragraph, cut short. */
  readonly near: string;
  /** Where in the part it begins. */
  readonly position: number;
}

/** So many code points stand for the characters of the delimiters: those that are text, and those within a tag. */
const CODES = 40;

/** Private code points of which a part has none: its author may use any of them. */
function unusedCodes(xml: string): number {
  for (let first = 0xe000; first < 0xf900 - CODES; first += CODES) {
    const range = Array.from({ length: CODES }, (_, index) => String.fromCharCode(first + index));
    if (!range.some((character) => xml.includes(character))) return first;
  }
  throw new Error("The part uses all private characters of Unicode.");
}

/** How many characters a message quotes on each side. */
const SIDE_LENGTH = 40;

/**
 * Hides the delimiters of a part from the lexer that are text or stand within a tag, and takes the
 * backslashes away that say so. {@link revealDelimiters} brings them back. The part is canonical XML.
 */
export function hideDelimiters(xml: string, { start, end }: Delimiters): HiddenDelimiters {
  const characters = start + end;
  const changes: [position: number, code: number | null][] = [];
  const doubtful: DoubtfulTag[] = [];
  for (const segments of paragraphsOf(xml, [...new Set(characters)])) {
    const text = segments.map((each) => each.text).join("");
    const read = locator(segments);
    const context = {
      reads: (content: string) => readsAsTag(unescapeText(content)),
      isInstruction: (offset: number) => read(offset).segment.isInstruction,
    };
    const found = readBraces(text, { start, end }, context);
    const codes = new Map<number, number | null>(found.dropped.map((at) => [at, null]));
    const hide = ({ from, to }: Span, first: number): void => {
      for (let at = from; at < to; at++) codes.set(at, first + characters.indexOf(text[at] ?? ""));
    };
    for (const span of found.literals) hide(span, 0);
    for (const { inner } of found.tags) for (const span of inner) hide(span, characters.length);
    const changed = locator(segments);
    for (const [at, code] of [...codes].sort(([a], [b]) => a - b)) {
      changes.push([changed(at).position, code]);
    }
    const told = locator(segments);
    for (const { from, to } of found.doubtful) {
      const near = textAround(text, from, to);
      const tag = unescapeText(text.slice(from, to));
      doubtful.push({ text: tag, near, position: told(from).position });
    }
  }
  if (changes.length === 0) return { xml, first: null, doubtful };
  const first = unusedCodes(xml);
  let out = "";
  let at = 0;
  for (const [position, code] of changes) {
    out += xml.slice(at, position) + (code === null ? "" : String.fromCharCode(first + code));
    at = position + 1;
  }
  return { xml: out + xml.slice(at), first, doubtful };
}

function textAround(text: string, from: number, to: number): string {
  const first = Math.max(from - SIDE_LENGTH, 0);
  const last = Math.min(to + SIDE_LENGTH, text.length);
  const near = unescapeText(text.slice(first, last));
  return `${first > 0 ? "…" : ""}${near}${last < text.length ? "…" : ""}`;
}

/** The text with the hidden delimiters as they were written. */
export function revealDelimiters(
  text: string,
  first: number | null,
  { start, end }: Delimiters,
): string {
  if (first === null || !/[\ue000-\uf8ff]/.test(text)) return text;
  const characters = start + end;
  return text.replace(/[\ue000-\uf8ff]/g, (hidden) => {
    const code = hidden.charCodeAt(0) - first;
    return characters[code < characters.length ? code : code - characters.length] ?? hidden;
  });
}

/** The content of a tag with {@link INNER} for each delimiter in it; null when it holds no other tag. */
export function nestedContent(
  content: string,
  first: number | null,
  delimiters: Delimiters,
): string | null {
  if (first === null) return null;
  const { start, end } = delimiters;
  const code = first + start.length + end.length;
  const hidden = (delimiter: string): string =>
    delimiter
      .split("")
      .map((each) => String.fromCharCode(code + (start + end).indexOf(each)))
      .join("");
  const marked = content.replaceAll(hidden(start), INNER).replaceAll(hidden(end), INNER);
  return marked === content ? null : revealDelimiters(marked, first, delimiters);
}

/** Finds where the characters of a paragraph's text stand in the XML; ask from the first on. */
function locator(
  segments: readonly Segment[],
): (offset: number) => { readonly segment: Segment; readonly position: number } {
  let index = 0;
  let before = 0;
  return (offset) => {
    for (let segment = segments[index]; segment !== undefined; segment = segments[index]) {
      const { length } = segment.text;
      if (offset < before + length) return { segment, position: segment.start + offset - before };
      before += length;
      index += 1;
    }
    throw new Error("The offset lies behind the text.");
  };
}

/** Where paragraphs begin and end, and texts: `dc:title` and the like stand for themselves. */
const BOUNDARIES = new RegExp(
  `<w:p(?=[ >])|</w:p>|<(${TEXT_ELEMENTS.join("|")})(?: [^>]*)?>([^<]*)</`,
  "g",
);

/** The text segments of each paragraph that holds one of some characters. */
function paragraphsOf(xml: string, characters: readonly string[]): Segment[][] {
  const found: Segment[][] = [];
  let segments: Segment[] = [];
  let wanted = false;
  let behind = 0;
  const settle = (): void => {
    if (wanted) found.push(segments);
    segments = [];
    wanted = false;
  };
  for (const { 0: all, 1: name, 2: text = "", index } of xml.matchAll(BOUNDARIES)) {
    if (name === undefined || !PARAGRAPH_ELEMENTS.includes(name)) {
      settle();
      behind = index;
    }
    if (name === undefined) continue;
    const end = index + all.length - "</".length;
    const start = end - text.length;
    if (segments.length > 0 && SHOWN.test(xml.slice(behind, start))) {
      segments.push({ text: BREAK, start, isInstruction: false });
    }
    segments.push({ text, start, isInstruction: name === "w:instrText" });
    behind = end;
    wanted ||= characters.some((character) => text.includes(character));
  }
  settle();
  return found;
}

/** Stands between texts that a reader does not see side by side: a backslash there has nothing to do with a tag. */
const BREAK = " ";
const SHOWN =
  /<w:(?:tab|ptab|br|cr|sym|drawing|pict|object|noBreakHyphen|footnoteReference|endnoteReference)[ />]/;
