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

/** Longer texts are not examined for words. */
const MAX_WORDS = 1_000;

/** Whether a text contains a part, as whole words, only in other uppercase and lowercase letters. */
export function containsOtherCase(whole: string, part: string): boolean {
  if (part.length < 2 || whole.length > MAX_WORDS || whole.includes(part)) return false;
  const [text, words] = [whole.toLowerCase(), part.toLowerCase()];
  return text === words || hasWords(text, words);
}

/** Whether a text contains a shorter one as whole words. */
export function hasWords(whole: string, words: string): boolean {
  if (words.length < 2 || whole.length > MAX_WORDS || whole.length <= words.length) return false;
  for (let at = whole.indexOf(words); at !== -1; at = whole.indexOf(words, at + 1)) {
    const around = [whole[at - 1], whole[at + words.length]];
    if (!around.some((each) => each !== undefined && /[\p{L}\p{N}]/u.test(each))) return true;
  }
  return false;
}

/** Whether one text is a date such as 2026-01-05, and the other one a part of a date: `2026-01`, `12/2026`, `2026`. */
export function isPartOfDate(a: string, b: string): boolean {
  const [part, date] = a.length < b.length ? [a, b] : [b, a];
  return /^\d{4}-\d\d-\d\d/.test(date) && /^(?:\d{4}(?:-\d\d)?|\d\d?[/.]\d{4})$/.test(part);
}

/** Whether two texts are the same date, one of them without leading zeros: `2026-1-5`. */
export function isSameUnpadded(a: string, b: string): boolean {
  const [short, date] = a.length < b.length ? [a, b] : [b, a];
  if (!/^\d{4}-\d\d?-\d\d?$/.test(short)) return false;
  return short.replace(/-(\d)(?!\d)/g, "-0$1") === date;
}

/** Whether a text has an asterisk at an end, and the other one the letters around it. */
export function isWildcard(pattern: string, text: string): boolean {
  const letters = pattern.replace(/^\*|\*$/g, "");
  if (letters === pattern || !/^[^*]*[\p{L}\p{N}][^*]*$/u.test(letters)) return false;
  // A single letter with an asterisk may be a grade.
  const least = letters.length < 2 ? 4 : letters.length + 1;
  return text.length >= least && (text.startsWith(letters) || text.endsWith(letters));
}

/** Whether a part that is looked for in a text has an asterisk or a percent sign at an end, and the text the letters. */
export function isWildcardIn(text: string, part: string): boolean {
  const letters = part.replace(/^[*%]+|[*%]+$/g, "");
  return (
    letters !== part && /\p{L}{2}/u.test(letters) && text.includes(letters) && !text.includes(part)
  );
}

/** Matches `11/01/2026`, and `1 November 2026` or `November 1, 2026`. */
const NUMERIC = /^\s*(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?!\d)/;
const NAMED = /^\s*(?:(\d{1,2})\.? )?([a-z]{3})[a-z]*\.?(?: (\d{1,2}),?)? (\d{4})(?!\d)/i;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Whether one text is a date in ISO 8601, and the other one may be the same day in another form: `11/01/2026`. */
export function isSameInOtherForm(a: string, b: string): boolean {
  const [iso, other] = /^\d{4}-\d\d-\d\d/.test(a) ? [a, b] : [b, a];
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(iso) ?? [];
  if (year === undefined || other.length > MAX_WORDS) return false;
  const wanted = [Number(month), Number(day)];
  const isWanted = (one: number, two: number, of: string | undefined): boolean =>
    of === year && wanted[0] === one && wanted[1] === two;
  const numeric = NUMERIC.exec(other);
  if (numeric !== null) {
    const [one, two] = [Number(numeric[1]), Number(numeric[2])];
    return isWanted(one, two, numeric[3]) || isWanted(two, one, numeric[3]);
  }
  const [, before, name = "", after, of] = NAMED.exec(other) ?? [];
  return isWanted(MONTHS.indexOf(name.toLowerCase()) + 1, Number(before ?? after), of);
}
