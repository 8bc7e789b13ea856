import { parseLength } from "../image/size.ts";

/** The width of a column, as a tag gives it. `share`: of the width that the table has in the template, 1 for all of it. */
export type ColumnWidth = { readonly twips: number } | { readonly share: number };

const EMU_PER_TWIP = 635;

/** The least width of a column, in twentieths of a point: 1 mm. */
const LEAST = 57;
/** Maximum width of a column, and of a table, in Word: 22 inches, in twentieths of a point. */
export const MOST = 31_680;
/** The maximum for messages. */
export const MOST_TEXT = "55.8 cm";

const SHARE = /^\s*(\d{1,3}(?:\.\d{1,6})?)\s*%\s*$/;

/** Reads a length such as `3cm`, or a share such as `40%`. Returns null for any other text. */
export function readColumnWidth(text: string): ColumnWidth | null {
  const percent = SHARE.exec(text)?.[1];
  if (percent !== undefined) return { share: Number(percent) / 100 };
  const emu = parseLength(text);
  return emu === null ? null : { twips: Math.round(emu / EMU_PER_TWIP) };
}

/**
 * Returns why text is not the width of a column, as the end of a sentence that begins with the text; null if it is one.
 * Empty text changes nothing.
 */
export function columnWidthProblem(text: string): string | null {
  if (text.trim() === "") return null;
  const width = readColumnWidth(text);
  if (width === null) {
    return 'is not a width: write a number with a unit, such as "3cm", "25mm", "1.5in" or "90pt", or a share of the table, such as "40%"';
  }
  return "twips" in width ? rangeProblem(width.twips) : null;
}

/** Returns why a column cannot have a width, like {@link columnWidthProblem}. */
export function rangeProblem(twips: number): string | null {
  if (twips < LEAST) return "is not a width of a column: the least is 1mm";
  return twips > MOST ? `is more than Word allows: ${MOST_TEXT} at most` : null;
}

/** Returns a width for messages, rounded up: `63.5 cm`. */
export function inCentimeters(twips: number): string {
  return `${Math.ceil(twips / 56.7) / 10} cm`;
}
