import { escapeText } from "../package/xml.ts";
import type { Delimiters } from "./scan.ts";

/**
 * The elements whose text may hold tags: of paragraphs, equations, field instructions, and of the
 * document's properties (ECMA-376 part 1, 15.2.12 and 22.3; part 2, 11).
 */
export const TEXT_ELEMENTS = [
  "w:t",
  "m:t",
  "w:instrText",
  ...["dc:title", "dc:subject", "dc:creator", "dc:description"],
  ...["cp:keywords", "cp:category", "cp:contentStatus"],
  ...["vt:lpwstr", "vt:lpstr", "Company", "Manager", "HyperlinkBase"],
];

/** A piece of text within the XML of a part. */
interface Segment {
  readonly start: number;
  readonly end: number;
}

/** A part in which the delimiters that are meant as text are hidden. */
export interface HiddenDelimiters {
  readonly xml: string;
  /** The first of the code points that stand for the characters of the delimiters; null when none is hidden. */
  readonly first: number | null;
}

/** Private code points of which a part has none: its author may use any of them. */
function unusedCodes(xml: string): number {
  for (let first = 0xe000; first < 0xf8f0; first += 16) {
    const range = Array.from({ length: 16 }, (_, index) => String.fromCharCode(first + index));
    if (!range.some((character) => xml.includes(character))) return first;
  }
  throw new Error("The part uses all private characters of Unicode.");
}

/**
 * Takes the backslash away from each `\{{` of a part and hides the delimiter behind it, and the one
 * that would end it, from the lexer. {@link revealDelimiters} brings them back. The part is canonical XML.
 */
export function hideEscapedDelimiters(xml: string, delimiters: Delimiters): HiddenDelimiters {
  if (!xml.includes("\\")) return { xml, first: null };
  const start = escapeText(delimiters.start);
  const end = escapeText(delimiters.end);
  const changes = new Map<number, string>();
  const first = unusedCodes(xml);
  const hide = (
    positionOf: (offset: number) => number,
    offset: number,
    delimiter: string,
  ): void => {
    for (let index = 0; index < delimiter.length; index++) {
      const code = first + (start + end).indexOf(delimiter[index] ?? "");
      changes.set(positionOf(offset + index), String.fromCharCode(code));
    }
  };
  for (const segments of paragraphsOf(xml)) {
    const positionOf = positions(segments);
    const text = segments.map((each) => xml.slice(each.start, each.end)).join("");
    let from = 0;
    for (let at = text.indexOf(`\\${start}`); at !== -1; at = text.indexOf(`\\${start}`, from)) {
      const opened = at + 1;
      from = opened + start.length;
      changes.set(positionOf(at), "");
      hide(positionOf, opened, start);
      const close = text.indexOf(end, from);
      const next = text.indexOf(start, from);
      if (close === -1 || (next !== -1 && next < close)) continue;
      hide(positionOf, close, end);
      from = close + end.length;
    }
  }
  if (changes.size === 0) return { xml, first: null };
  let out = "";
  let at = 0;
  for (const [position, character] of [...changes].sort(([a], [b]) => a - b)) {
    out += xml.slice(at, position) + character;
    at = position + 1;
  }
  return { xml: out + xml.slice(at), first };
}

/** The text with the hidden delimiters as they were written. */
export function revealDelimiters(
  text: string,
  first: number | null,
  { start, end }: Delimiters,
): string {
  if (first === null || !/[\ue000-\uf8ff]/.test(text)) return text;
  const characters = escapeText(start) + escapeText(end);
  return text.replace(
    /[\ue000-\uf8ff]/g,
    (hidden) => characters[hidden.charCodeAt(0) - first] ?? hidden,
  );
}

/** Finds where the characters of a paragraph's text stand in the XML; ask from the first on. */
function positions(segments: readonly Segment[]): (offset: number) => number {
  let index = 0;
  let before = 0;
  return (offset) => {
    for (let segment = segments[index]; segment !== undefined; segment = segments[index]) {
      const length = segment.end - segment.start;
      if (offset < before + length) return segment.start + offset - before;
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

/** The text segments of each paragraph that holds a backslash. */
function paragraphsOf(xml: string): Segment[][] {
  const found: Segment[][] = [];
  let segments: Segment[] = [];
  let escaped = false;
  const settle = (): void => {
    if (escaped) found.push(segments);
    segments = [];
    escaped = false;
  };
  for (const { 0: all, 1: name, 2: text = "", index } of xml.matchAll(BOUNDARIES)) {
    if (name === undefined || !IN_PARAGRAPHS.has(name)) settle();
    if (name === undefined) continue;
    const end = index + all.length - "</".length;
    segments.push({ start: end - text.length, end });
    escaped ||= text.includes("\\");
  }
  settle();
  return found;
}

const IN_PARAGRAPHS = new Set(["w:t", "m:t", "w:instrText"]);
