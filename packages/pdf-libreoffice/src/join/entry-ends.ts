import { refuse } from "./refusal.ts";

/** A range in the XML of a part. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The start of a paragraph. `start` is the index of its tag, and `end` is the index after its properties. */
export interface ParagraphStart extends Span {
  /** Whether the paragraph is written as `<w:p/>`. */
  readonly empty: boolean;
  /** The index of the end tag of its properties; null if the paragraph has no properties. */
  readonly close: number | null;
}

/** An insertion into the first or last paragraph of an entry. Indexes are absolute. */
export interface EndEdit extends Span {
  /** The existing XML as two strings. The section end goes between them, and a bookmark goes after them. */
  readonly kept: readonly [string, string];
  /** The XML after the bookmark. */
  readonly after: string;
  /** Whether the section end would be the only property. */
  readonly bare: boolean;
}

const OPEN = "<w:pPr>";
const CLOSE = "</w:pPr>";

/** Finds the start of the paragraph whose tag is at `start`. */
export function paragraphAt(xml: string, start: number): ParagraphStart {
  const end = xml.indexOf(">", start) + 1;
  if (xml[end - 2] === "/") return { start, end, empty: true, close: null };
  if (!xml.startsWith("<w:pPr", end)) return { start, end, empty: false, close: null };
  const close = xml.indexOf(CLOSE, end);
  if (!xml.startsWith(OPEN, end) || close === -1) refuse("a paragraph with unusual syntax");
  return { start, end: close + CLOSE.length, empty: false, close };
}

/** Returns the insertion point after the properties of the first paragraph. */
export function startOf(xml: string, paragraph: ParagraphStart): EndEdit {
  return endOf(xml, { ...paragraph, close: null });
}

/** Returns the insertion points within and after the properties of the last paragraph, which may be the first one. */
export function endOf(xml: string, { start, end, empty, close }: ParagraphStart): EndEdit {
  if (empty) {
    const open = `${xml.slice(start, end - "/>".length)}>`;
    return { start, end, kept: [open, ""], after: "</w:p>", bare: true };
  }
  if (close === null) return { start: end, end, kept: ["", ""], after: "", bare: true };
  return { start: close, end, kept: ["", CLOSE], after: "", bare: false };
}

/** Returns the XML of the range with a bookmark and, unless `section` is null, a section end. */
export function writeEnd(
  { kept, after, bare }: EndEdit,
  section: string | null,
  mark: string,
): string {
  const [before, behind] = kept;
  const properties = section === null ? "" : bare ? OPEN + section + CLOSE : section;
  return before + properties + behind + mark + after;
}
