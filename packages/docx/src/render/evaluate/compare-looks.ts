import { containsText } from "./search.ts";

/**
 * Matches the only differences between strings that look alike: characters outside ASCII, and leading, trailing or
 * repeated spaces.
 */
const UNUSUAL = /[^\x20-\x7e]|^ | $| {2}/;

/** Maximum length of a string to examine. Each check makes a copy. */
const MAX_LENGTH = 10_000;

/** Whether two unequal strings look alike: only spaces, quotes, dashes or the encoding of accents differ. */
export function looksEqual(a: string, b: string): boolean {
  return isUnusual(a, b) && lookOf(a) === lookOf(b);
}

/** Whether a string does not contain a part but contains text that looks like it. */
export function looksContained(whole: string, part: string): boolean {
  if (!isUnusual(whole, part) || containsText(whole, part)) return false;
  const look = lookOf(part);
  return look !== "" && containsText(lookOf(whole), look);
}

function isUnusual(a: string, b: string): boolean {
  return Math.max(a.length, b.length) <= MAX_LENGTH && (UNUSUAL.test(a) || UNUSUAL.test(b));
}

function lookOf(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[\u00ad\u200b\u200c\u200e\u200f\u2060]/g, "")
    .replace(/[‘’ʼ′]/g, "'")
    .replace(/[“”„″]/g, '"')
    .replace(/[‐-―−]/g, "-")
    .replace(/\s+/g, " ")
    .trim();
}
