import { compareDecimals, toDecimal } from "../../../format/decimal.ts";
import {
  type CalendarDate,
  type DateProblem,
  type DayMonthOrder,
  readDate,
  utcTime,
} from "../../../format/read-date.ts";

import { isAmbiguous } from "../../../format/text-forms.ts";

/**
 * Why a comparison of two strings may be a mistake. `number` and `date` mean the same number or date, written in two
 * ways. `letters` means that the strings are ordered by their letters, although they seem to be numbers or dates.
 */
export type TextDoubt = "number" | "date" | "letters";

/**
 * Compares two strings: two numbers by size, two dates by time, and all others alphabetically. Compares an instant with
 * a date without an offset in the local time of the time zone. Returns `unclear` for dates such as 3/4/2026, whose
 * order depends on which number is the day.
 */
export function orderOfTexts(a: string, b: string, timeZone: string): number | "unclear" {
  if (a === b) return 0;
  return orderOfSizes(a, b, timeZone) ?? (a < b ? -1 : 1);
}

/** Returns which of two texts that are dates do not show the day and the month, for a message. */
export function unclearDates(a: string, b: string): string {
  if (isAmbiguous(a) === isAmbiguous(b))
    return "the dates on both sides may start with the day or the month: write them as 2026-11-20";
  const side = isAmbiguous(a) ? "left" : "right";
  return `the date on the ${side} side may start with the day or the month: write it as 2026-11-20`;
}

/** Returns `number` or `date` if two unequal strings are the same number or date; otherwise returns null. */
export function sameSize(a: string, b: string, timeZone: string): TextDoubt | null {
  if (a === b || orderOfSizes(a, b, timeZone) !== 0) return null;
  return toDecimal(a) === null ? "date" : "number";
}

/**
 * Returns `letters` if two strings are ordered by their letters although numbers or dates seem to be meant, or null.
 */
export function lettersOfSizes(a: string, b: string, timeZone: string): TextDoubt | null {
  if (a === b || (!beginsWithSize(a) && !beginsWithSize(b))) return null;
  if (orderOfSizes(a, b, timeZone) !== null) return null;
  if (isSize(a) || isSize(b)) return "letters";
  // Alphabetical order is right for strings of the same form, such as 09:15 and 10:30.
  const isAlike = shapeOf(a) === shapeOf(b);
  return beginsWithSize(a) && beginsWithSize(b) && !isAlike ? "letters" : null;
}

/** Returns the order of two strings as numbers or dates, or null if they are neither two numbers nor two dates. */
function orderOfSizes(a: string, b: string, timeZone: string): number | "unclear" | null {
  if (!beginsWithSize(a) || !beginsWithSize(b)) return null;
  const [one, other] = [toDecimal(a), toDecimal(b)];
  if (one !== null && other !== null) return compareDecimals(one, other);
  return one === null && other === null ? orderOfDates(a, b, timeZone) : null;
}

/** Whether the string begins like a number or a date. Most strings do not, and are not checked further. */
function beginsWithSize(text: string): boolean {
  return /^\s*[+-]?[.\d]/.test(text);
}

function isSize(text: string): boolean {
  return (
    toDecimal(text) !== null || ORDERS.some((order) => !("problem" in readDate(text, order, "UTC")))
  );
}

/** Replaces all digits with the same digit. */
function shapeOf(text: string): string {
  return text.replace(/\d/g, "0");
}

const ORDERS: readonly DayMonthOrder[] = ["day first", "month first"];

/** Matches instants such as `2026-11-20T10:00Z` and `2026-11-20 10:00+01:00`. */
const INSTANT = /:\d\d.*(?:[Zz]|[+-]\d\d(?::?\d\d)?)\s*$/;

/** Whether a text is an instant: a date and a time with an offset. */
export function isInstantText(text: string): boolean {
  return INSTANT.test(text);
}

function orderOfDates(a: string, b: string, timeZone: string): number | "unclear" | null {
  // In the local time of a time zone, one hour occurs twice in autumn.
  const zone = INSTANT.test(a) && INSTANT.test(b) ? "UTC" : timeZone;
  const isAlike = separatorOf(a) === separatorOf(b);
  const found = new Set<number>();
  for (const one of ORDERS) {
    const first = readDate(a, one, zone);
    // Dates with the same separators have the day and the month in the same order.
    for (const other of isAlike ? [one] : ORDERS) {
      const second = readDate(b, other, zone);
      if (isDate(first) && isDate(second)) found.add(Math.sign(compareDates(first, second)));
    }
  }
  const [order = null] = found;
  return found.size > 1 ? "unclear" : order;
}

/**
 * Returns the times of strings if all of them are dates; undefined strings are skipped. Returns null if one is not a
 * date, and `unclear` if the strings do not show which number is the day.
 */
export function timesOfDates(
  texts: readonly (string | undefined)[],
  timeZone: string,
): readonly number[] | "unclear" | null {
  const readings = ORDERS.flatMap((order) => timesIn(texts, order, timeZone) ?? []);
  const [first = null, second] = readings;
  if (first === null || second === undefined) return first;
  return second.every((time, index) => time === first[index]) ? first : "unclear";
}

/** Returns the times of strings, which must all be dates, in one order of day and month; otherwise null. */
function timesIn(
  texts: readonly (string | undefined)[],
  order: DayMonthOrder,
  timeZone: string,
): [number[]] | null {
  const times: number[] = [];
  for (const text of texts) {
    const date = text === undefined ? null : readDate(text, order, timeZone);
    if (date !== null && !isDate(date)) return null;
    times.push(date === null ? 0 : utcTime(date) + fractionOf(date));
  }
  return [times];
}

function isDate(date: CalendarDate | DateProblem): date is CalendarDate {
  return !("problem" in date);
}

function separatorOf(text: string): string {
  return text.trimStart().replace(/^\d+/, "").charAt(0);
}

function compareDates(a: CalendarDate, b: CalendarDate): number {
  const difference = utcTime(a) - utcTime(b);
  return difference === 0 ? fractionOf(a) - fractionOf(b) : difference;
}

function fractionOf({ time }: CalendarDate): number {
  return Number(`0.${time?.fraction ?? ""}`);
}
