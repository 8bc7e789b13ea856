import { toDecimal } from "./decimal.ts";
import { parseDate } from "./parse-date.ts";
import { DECIMAL_SIGNS, type DecimalSign, parseNumber } from "./parse-number.ts";
import { readDate } from "./read-date.ts";
import { createCache, remember } from "./remember.ts";

/** Patterns that a date may have in data, in the order in which they are tried. */
const PATTERNS = [
  ...["MM/dd/yyyy", "dd/MM/yyyy", "dd-MM-yyyy", "MM-dd-yyyy", "yyyy/MM/dd", "yyyy.MM.dd"],
  ...["yyyyMMdd", "dd.MM.yy", "dd/MM/yy", "MM/dd/yy", "yyyy-M-d", "dd.MM.yyyy"],
  ...["d MMMM yyyy", "d. MMMM yyyy", "MMMM d, yyyy", "MMMM d yyyy", "d-MMM-yyyy", "d-MMM-yy"],
  ...["EEE, d MMM yyyy", "EEEE, d MMMM yyyy", "EEEE, MMMM d, yyyy"],
  ...["MM/yyyy", "MM.yyyy", "MMMM yyyy", "yyyy-MM", "yyyy/MM", "yyyyMM"],
];
const TIMES = ["", " HH:mm", " HH:mm:ss", " h:mm a", ", h:mm a", " h:mm:ss a", "'T'HHmmss"];

/** Maximum length of a date as text. */
const MAX_DATE = 40;

/**
 * Returns the pattern that a date of the data has as text, or null. If day and month could be swapped, it is the pattern
 * with the month first.
 */
export function patternOfDate(text: string, locale: string): string | null {
  if (text.length > MAX_DATE || !/\d/.test(text)) return null;
  return remember(forms, `${locale} ${text}`, () => ({ pattern: findPattern(text, locale) }))
    .pattern;
}

const forms = createCache<{ readonly pattern: string | null }>();

function findPattern(text: string, locale: string): string | null {
  for (const pattern of PATTERNS) {
    for (const time of TIMES) {
      const read = parseDate(text, pattern + time, { locale, timeZone: "UTC" });
      if (!("problem" in read)) return pattern + time;
    }
  }
  return null;
}

/** Whether the other order of day and month fits as well: `05/11/2026`. */
export function isAmbiguous(text: string): boolean {
  const [, first = "", second = ""] = /^\s*(\d{1,2})[/.-](\d{1,2})[/.-]\d{2}/.exec(text) ?? [];
  return first !== "" && first !== second && Number(first) <= 12 && Number(second) <= 12;
}

/** Returns the decimal sign of a number that is text, or null. */
export function signOfNumber(text: string): DecimalSign | null {
  return DECIMAL_SIGNS.find((sign) => parseNumber(text, sign) !== null) ?? null;
}

/**
 * Returns the call that reads a date written in another form, such as `name.toDate("MM/dd/yyyy")`. Returns null if no
 * pattern fits.
 */
export function dateMeant(text: string, name: string, locale: string): string | null {
  // A date in ISO 8601 needs no pattern.
  if (!("problem" in readDate(text, null, "UTC"))) return null;
  const pattern = patternOfDate(text, locale) ?? patternOfDate(text, "en-US");
  if (pattern === null) return null;
  const written = `${name}.toDate("${pattern}")`;
  const [first, second] =
    pattern.indexOf("d") < pattern.indexOf("M") ? ["day", "month"] : ["month", "day"];
  return isAmbiguous(text)
    ? `${written} if the ${first} comes first, or ${name}.toDate("${swapped(pattern)}") if the ${second} does`
    : written;
}

/** Returns how to compare a date or a number that is text in another form; null for other values. */
export function hintForText(value: unknown, name: string): string | null {
  if (typeof value !== "string") return null;
  const meant = "problem" in readDate(value, null, "UTC") ? dateMeant(value, name, "en-US") : null;
  if (meant !== null) return `For a date in this form write ${meant}.`;
  const sign = toDecimal(value) === null ? signOfNumber(value) : null;
  return sign === null ? null : `For a number in this form write ${name}.toNumber("${sign}").`;
}

function swapped(pattern: string): string {
  return pattern.replace(/MM|dd/g, (field) => (field === "MM" ? "dd" : "MM"));
}
