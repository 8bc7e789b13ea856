import { AMBIGUOUS, type TextReader } from "./cell.ts";
import { localDate } from "./dates.ts";
import { localNumber, plainNumber } from "./numbers.ts";

/** How a file writes numbers and dates. */
export interface Notation {
  /** The declared locale; null if none is declared. */
  readonly locale: string | null;
  /** Returns plain decimals. */
  readonly number: TextReader;
  /** Returns ISO 8601. */
  readonly date: TextReader;
}

/** Returns the notation of a locale. */
export function localNotation(locale: string): Notation {
  return { locale, number: localNumber(locale), date: localDate(locale) };
}

/** The notation of a file without a locale: plain decimals, and dates whose order is clear. */
export const NEUTRAL: Notation = { locale: null, number: plainNumber, date: localDate(null) };

/** Whether the text could be read. */
export function isRead(reading: ReturnType<TextReader>): reading is string {
  return reading !== null && reading !== AMBIGUOUS;
}
