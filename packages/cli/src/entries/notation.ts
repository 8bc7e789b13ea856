import { AMBIGUOUS, type TextReader } from "./cell.ts";
import { localDate } from "./dates.ts";
import { localNumber, plainNumber } from "./numbers.ts";

/** How a file writes numbers and dates. */
export interface Notation {
  /** The declared locale, or null. */
  readonly locale: string | null;
  /** Returns plain decimals. */
  readonly number: TextReader;
  /** Returns ISO 8601. */
  readonly date: TextReader;
}

/** The notation of a locale. */
export function localNotation(locale: string): Notation {
  return { locale, number: localNumber(locale), date: localDate(locale) };
}

/** Without a locale: plain decimals, and dates with a clear order. */
export const NEUTRAL: Notation = { locale: null, number: plainNumber, date: localDate(null) };

/** Whether the text could be read. */
export function isRead(reading: ReturnType<TextReader>): reading is string {
  return reading !== null && reading !== AMBIGUOUS;
}
