import type { Written } from "./written.ts";

/** Returns a tag with one mistake corrected; null if the mistake is not there. */
export type Correction = (tag: Written) => string | null;

/**
 * Returns a correction that replaces the first match of a pattern. `meant`: returns the replacement for the groups of a
 * match and the whole tag, or null to try the next match.
 */
export function rewrite(
  pattern: string,
  meant: (groups: readonly string[], tag: Written) => string | null,
  flags = "",
): Correction {
  return (tag) => tag.replace(pattern, (groups) => meant(groups, tag), flags);
}

/** Precedes a name or a value that begins there. */
export const START = String.raw`(?<![\p{L}\p{N}_$.\])])`;

/** Returns a size without a unit as a length: centimeters, or pixels if it is large. */
export function lengthOf(size = ""): string {
  return `${size}${Number(size) > 30 ? "px" : "cm"}`;
}

/** The currencies that authors name most. */
export const CURRENCIES =
  "EUR|USD|GBP|CHF|JPY|CNY|CAD|AUD|SEK|NOK|DKK|PLN|CZK|HUF|RON|TRY|INR|BRL|MXN|ZAR|SGD|HKD|NZD";
