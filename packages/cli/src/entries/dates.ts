import { AMBIGUOUS, type TextReader } from "./cell.ts";

/** The order of day, month and year. */
type DateOrder = "dmy" | "mdy";

interface DateFields {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** The text after the date, such as `T13:05:00` or ` 1:05 PM`; may be empty. */
  readonly time: string;
}

const ISO =
  /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:[Zz]| ?[+-]\d\d(?::?\d\d)?)?)?$/;
/** `2026/12/31`, `2026. 12. 31.` */
const YEAR_FIRST = /^(\d{4}) ?([./-]) ?(\d{1,2}) ?\2 ?(\d{1,2})\.?(?!\d)(.*)$/s;
/** `31.12.2026`, `12/31/2026 1:05 PM` */
const YEAR_LAST = /^(\d{1,2}) ?([./-]) ?(\d{1,2}) ?\2 ?(\d{4})\.?(?!\d)(.*)$/s;
const TIME = /^(?:,? +|T)(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?: ?([ap])\.? ?m\.?)?$/i;
const MAX_LENGTH = 60;

/**
 * Reads dates in ISO 8601, which it returns unchanged, and dates of three numbers in the order of the locale. If the
 * locale writes the month first, dates with dots are not read, because dots imply that the day is first. Without a
 * locale, the order must be clear: the year is first, there are dots, or only one date is possible.
 */
export function localDate(locale: string | null): TextReader {
  const order = locale === null ? null : orderOf(locale);
  return (text) => {
    const trimmed = text.trim().replace(/[\u00a0\u202f]/g, " ");
    if (trimmed.length > MAX_LENGTH) return null;
    if (ISO.test(trimmed)) {
      const [year = 0, month = 0, day = 0] = trimmed.slice(0, 10).split("-").map(Number);
      return isoText({ year, month, day, time: "" }) === null ? null : text;
    }
    const [, year, , month, day, rest = ""] = YEAR_FIRST.exec(trimmed) ?? [];
    if (year !== undefined) {
      return isoText({ year: Number(year), month: Number(month), day: Number(day), time: rest });
    }
    return yearLast(trimmed, order);
  };
}

function yearLast(text: string, order: DateOrder | null): ReturnType<TextReader> {
  const match = YEAR_LAST.exec(text);
  if (match === null) return null;
  const [, first, separator, second, year, time = ""] = match;
  const [one, other] = [Number(first), Number(second)];
  const dayFirst = isoText({ year: Number(year), month: other, day: one, time });
  const monthFirst = isoText({ year: Number(year), month: one, day: other, time });
  // Dots imply day first, but the locale writes the month first. If both orders give a date, the text is ambiguous.
  if (order === "mdy" && separator === ".") return dayFirst && monthFirst && AMBIGUOUS;
  if (order !== null) return order === "dmy" ? dayFirst : monthFirst;
  if (dayFirst === null || dayFirst === monthFirst) return monthFirst;
  return monthFirst === null || separator === "." ? dayFirst : AMBIGUOUS;
}

/** Returns the order of day and month in a locale; null if the locale writes the year first. */
function orderOf(locale: string): DateOrder | null {
  const parts = new Intl.DateTimeFormat(locale, { calendar: "gregory" }).formatToParts(0);
  const [first] = parts.filter(({ type }) => type !== "literal" && type !== "era");
  if (first?.type === "day") return "dmy";
  return first?.type === "month" ? "mdy" : null;
}

/** Regular expressions for the fields that date patterns may contain. */
const LETTERS: Readonly<Record<string, string>> = {
  yyyy: "(?<year>\\d{4})",
  MM: "(?<month>\\d{1,2})",
  M: "(?<month>\\d{1,2})",
  dd: "(?<day>\\d{1,2})",
  d: "(?<day>\\d{1,2})",
  HH: "(?<hour>\\d{1,2})",
  H: "(?<hour>\\d{1,2})",
  mm: "(?<minute>\\d{1,2})",
  ss: "(?<second>\\d{1,2})",
};

/**
 * Returns a reader for dates in one pattern, such as `dd.MM.yyyy HH:mm`, and dates in ISO 8601. Null if the pattern is
 * not valid.
 */
export function patternDate(pattern: string): TextReader | null {
  const tokens = pattern.match(/([A-Za-z])\1*|[^A-Za-z]/g) ?? [];
  const sources = tokens.map((token) => {
    if (/^[A-Za-z]/.test(token)) return LETTERS[token];
    return token === " " ? "\\s+" : `\\${token}`;
  });
  const source = sources.join("");
  const has = (name: string): boolean => source.split(`<${name}>`).length === 2;
  const names = source.match(/<\w+>/g) ?? [];
  if (sources.includes(undefined) || new Set(names).size < names.length) return null;
  if (!has("year") || !has("month") || !has("day") || has("hour") !== has("minute")) return null;
  const expression = new RegExp(`^${source}$`);
  const iso = localDate(null);
  return (text) => {
    const fields = expression.exec(text.trim())?.groups;
    if (fields === undefined) return ISO.test(text.trim()) ? iso(text) : null;
    const { year, month, day, hour, minute, second = "00" } = fields;
    const time = hour === undefined ? "" : ` ${hour}:${minute?.padStart(2, "0")}:${second}`;
    return isoText({ year: Number(year), month: Number(month), day: Number(day), time });
  };
}

/** Converts a date to ISO 8601. Returns null if the date or the time does not exist. */
function isoText({ year, month, day, time }: DateFields): string | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists =
    year >= 1 &&
    month >= 1 &&
    date.getUTCFullYear() === year &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day;
  const clock = time.trim() === "" ? "" : clockText(time);
  return exists && clock !== null
    ? `${digits(year, 4)}-${digits(month)}-${digits(day)}${clock}`
    : null;
}

function clockText(text: string): string | null {
  const [all, hours, minutes, seconds, fraction, half] = TIME.exec(text) ?? [];
  if (all === undefined) return null;
  const [minute, second] = [Number(minutes), Number(seconds ?? 0)];
  let hour = Number(hours);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return null;
    hour = (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  }
  if (hour > 23 || minute > 59 || second > 59) return null;
  const ends = seconds === undefined ? "" : `:${digits(second)}${fraction ? `.${fraction}` : ""}`;
  return `T${digits(hour)}:${digits(minute)}${ends}`;
}

function digits(number: number, length = 2): string {
  return String(number).padStart(length, "0");
}

const DAY_MS = 86_400_000;
/** 9999-12-31 in the 1900 date system. */
const LAST_DAY = 2_958_465;

/**
 * Converts one of Excel's day numbers to a date in ISO 8601, with the time of day if the number has a fraction. Days
 * are counted from 1904, or from 1900 including a 29 February 1900 that did not exist. Returns null for a number that
 * is not a day.
 */
export function excelDate(number: number, from1904: boolean): string | null {
  const days = from1904 ? number + 1462 : number;
  const isLeapDay = !from1904 && days >= 60 && days < 61;
  if (!(days >= 1 && days < LAST_DAY + 1) || isLeapDay) return null;
  const shifted = !from1904 && days < 60 ? days + 1 : days;
  // Rounding errors must not turn 13:00 into 12:59:59.999.
  const date = new Date(Math.round((shifted - 25_569) * DAY_MS));
  const text = date
    .toISOString()
    .slice(0, -1)
    .replace(/\.000$/, "");
  return Number.isInteger(number) ? text.slice(0, 10) : text;
}
