import { refuse } from "./refusal.ts";

/** A stretch of the XML of a part. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The start of a paragraph: `start` is that of its tag, `end` that of what stands behind its properties. */
export interface ParagraphStart extends Span {
  /** Whether it is written as `<w:p/>`. */
  readonly empty: boolean;
  /** Where its properties close, or null when it has none. */
  readonly close: number | null;
}

/** What goes into the first paragraph of an entry, or into the last one; positions are absolute. */
export interface EndEdit extends Span {
  /** What stands there, in two parts: the end of a section goes between them, a mark behind them. */
  readonly kept: readonly [string, string];
  /** What follows the mark. */
  readonly after: string;
  /** Whether the end of a section would be the only property. */
  readonly bare: boolean;
}

const OPEN = "<w:pPr>";
const CLOSE = "</w:pPr>";

/** The paragraph whose tag stands at `start`. */
export function paragraphAt(xml: string, start: number): ParagraphStart {
  const end = xml.indexOf(">", start) + 1;
  if (xml[end - 2] === "/") return { start, end, empty: true, close: null };
  if (!xml.startsWith("<w:pPr", end)) return { start, end, empty: false, close: null };
  const close = xml.indexOf(CLOSE, end);
  if (!xml.startsWith(OPEN, end) || close === -1) refuse("a paragraph that is spelled unusually");
  return { start, end: close + CLOSE.length, empty: false, close };
}

/** What may be put behind the properties of the first paragraph. */
export function startOf(xml: string, paragraph: ParagraphStart): EndEdit {
  return endOf(xml, { ...paragraph, close: null });
}

/** What may be put among and behind the properties of the last paragraph, which may be the first one, too. */
export function endOf(xml: string, { start, end, empty, close }: ParagraphStart): EndEdit {
  if (empty) {
    const open = `${xml.slice(start, end - "/>".length)}>`;
    return { start, end, kept: [open, ""], after: "</w:p>", bare: true };
  }
  if (close === null) return { start: end, end, kept: ["", ""], after: "", bare: true };
  return { start: close, end, kept: ["", CLOSE], after: "", bare: false };
}

/** The place with the end of a section, if it goes there, and with a mark. */
export function writeEnd(
  { kept, after, bare }: EndEdit,
  section: string | null,
  mark: string,
): string {
  const [before, behind] = kept;
  const properties = section === null ? "" : bare ? OPEN + section + CLOSE : section;
  return before + properties + behind + mark + after;
}
