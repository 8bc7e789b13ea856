/** A date in a tag that has no quotes. */
export interface UnquotedDate {
  /** The characters of the tag that form the date. */
  readonly written: string;
  /** The date as it should be written, without the quotes. */
  readonly text: string;
}

const TIME = String.raw`(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?`;
/** Matches `2026-01-31` and `2026/01/31`, for the years 1900 to 2099. */
const YEAR_FIRST = new RegExp(
  String.raw`((?:19|20)\d\d)([-/])(\d{1,2})\2(\d{1,2})(${TIME})(?![\p{L}\d_./-])`,
  "uy",
);
/** Matches `31.12.2026` and `12/31/2026`. */
const YEAR_LAST = /(\d{1,2})([./])(\d{1,2})\2((?:19|20)\d\d)(?![\p{L}\d_./-])/uy;

/** Returns the date without quotes that begins at an index; null for anything else. */
export function dateWithoutQuotes(source: string, at: number): UnquotedDate | null {
  YEAR_FIRST.lastIndex = at;
  const [first, year = "", , month = "", day = "", time = ""] = YEAR_FIRST.exec(source) ?? [];
  if (first !== undefined) {
    return isDate(month, day) ? { written: first, text: `${iso(year, month, day)}${time}` } : null;
  }
  YEAR_LAST.lastIndex = at;
  const [last, one = "", sign, other = "", lastYear = ""] = YEAR_LAST.exec(source) ?? [];
  if (last === undefined) return null;
  const monthFirst = sign === "/" && isDate(one, other);
  const [a, b] = monthFirst ? [one, other] : [other, one];
  return isDate(a, b) ? { written: last, text: iso(lastYear, a, b) } : null;
}

function isDate(month: string, day: string): boolean {
  const [m, d] = [Number(month), Number(day)];
  return m >= 1 && m <= 12 && d >= 1 && d <= 31;
}

function iso(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}
