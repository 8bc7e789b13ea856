import {
  addTo,
  between,
  type DateUnit,
  daysIn,
  isoText,
  quarterOf,
  startOfWeek,
  weekdayOf,
  weekOf,
  weekYearOf,
} from "../../../format/date-arithmetic.ts";
import { decimalText, toDecimal } from "../../../format/decimal.ts";
import { type CalendarDate, type ClockTime, readDate, utcTime } from "../../../format/read-date.ts";
import { patternOfDate } from "../../../format/text-forms.ts";
import type { FunctionName } from "../../../language/grammar/functions.ts";
import { EvaluationError, withArticle } from "../compare/compare.ts";
import { isInstantText } from "../compare/compare-texts.ts";
import { isTimeOfDay } from "./times.ts";
import { wholeNumberIn } from "./whole-number.ts";

/** What a function on a date needs besides its values. */
interface DateContext {
  readonly name: FunctionName;
  readonly timeZone: string;
  /** The value that the function is called on. */
  readonly value?: unknown;
}

type DateFunction = (
  date: CalendarDate,
  given: readonly unknown[],
  context: DateContext,
) => unknown;

/**
 * The functions on dates. They take a date in ISO 8601, or a `Date`, and return ISO 8601. An instant is read in the time
 * zone of the batch.
 */
export const DATE_FUNCTIONS: Readonly<Partial<Record<FunctionName, DateFunction>>> = {
  $addDays: add("days"),
  $addWeeks: add("weeks"),
  $addMonths: add("months"),
  $addYears: add("years"),
  $addWorkdays: add("workdays"),
  $daysUntil: until("days"),
  $monthsUntil: until("months"),
  $yearsUntil: until("years"),
  $hoursUntil: untilTime(3_600_000),
  $minutesUntil: untilTime(60_000),
  $hour: (date, _given, context) => timeOf(date, context).hour,
  $minute: (date, _given, context) => timeOf(date, context).minute,
  $year: ({ year }) => year,
  $month: ({ month }) => month,
  $day: ({ day }) => day,
  $weekday: weekdayOf,
  $week: weekOf,
  $quarter: quarterOf,
  $weekYear: weekYearOf,
  $startOfDay: (date) => isoText({ ...date, time: null }),
  $startOfWeek: (date) => isoText(startOfWeek(date)),
  $startOfMonth: (date) => isoText({ ...date, day: 1, time: null }),
  $endOfMonth: (date) => isoText({ ...date, day: daysIn(date), time: null }),
};

/** Matches what a message about a date says of the pattern of its tag. The tag of a function has none. */
const OF_PATTERN =
  /, and neither does the pattern of its tag|, or use a pattern in the order of the data.*$/g;

/** Returns the date in an argument. Throws {@link EvaluationError} for other values. */
export function dateIn(
  value: unknown,
  argument: number,
  { name, timeZone }: DateContext,
): CalendarDate {
  const date = readDate(value, null, timeZone);
  if (!("problem" in date)) return date;
  const isNumber = toDecimal(value) !== null;
  const got = isNumber
    ? "a number, which could mean any date: write it as 2026-11-20"
    : isTimeOfDay(value)
      ? "a time without a date: write it as 2026-11-20T09:00"
      : typeof value === "string" && value.trim() === ""
        ? "empty text: give null instead, or test it with 'if' before"
        : `${withArticle(value)} that ${date.problem.replace(OF_PATTERN, "")}`;
  throw Object.assign(new EvaluationError(`${name} needs a date, but got ${got}`), {
    argument,
    ...(isNumber ? { hintOf: (written: string) => hintForNumber(name, value, written) } : {}),
  });
}

/** Returns how to write the date that a number means. `written`: the number, as the tag names it. */
function hintForNumber(name: FunctionName, value: unknown, written: string): string {
  if (isDuration(name, value)) {
    return 'A number of hours or minutes is not a date. For 90 minutes as 1:30 write two tags: (minutes / 60).round(0, "down") and (minutes % 60).padStart(2, "0").';
  }
  if (isYear(value)) {
    return "A year alone is not a date: write the first day of the year, such as 1990-01-01.";
  }
  const digits = String(value).trim();
  const pattern = /^(?:1[5-9]|2[01])\d{4}(?:\d\d)?$/.test(digits)
    ? patternOfDate(digits, "en-US")
    : null;
  if (pattern !== null)
    return `If the number is a date in this form, write ${written}.toDate("${pattern}").`;
  if (isSerialDate(value)) return hintForSerialDate(written);
  return `For seconds since 1970 write ${written}.fromUnix(), for milliseconds ${written}.fromUnix("ms").`;
}

/** Whether a function on dates returns a number. */
export function givesNumber(name: FunctionName): boolean {
  return /^\$(?:year|month|day|weekday|week|quarter|weekYear|hour|minute|\w+Until)$/.test(name);
}

/** Whether a number may be a date of a spreadsheet, which counts days: from 1927 to 2173. */
export function isSerialDate(value: unknown): boolean {
  return /^[1-9]\d{4}$/.test(String(value).trim());
}

/** Returns how to read a date of a spreadsheet. `written`: the number, as the tag names it. */
export function hintForSerialDate(written: string, instead = written): string {
  return `If the number counts days, as dates of a spreadsheet do, write "1899-12-30".addDays(${written}) in place of ${instead}.`;
}

/** Returns the instant that a number of seconds or milliseconds since 1970 means, in ISO 8601. */
export function fromUnix(value: unknown, unit: unknown): string {
  const number = toDecimal(value);
  const fail = (message: string, argument: number): EvaluationError =>
    Object.assign(new EvaluationError(message), { argument });
  if (number === null) {
    const error = fail(`$fromUnix needs a number, but got ${withArticle(value)}`, 0);
    if (!("problem" in readDate(value, null, "UTC"))) {
      error.hintOf = (written) => `It is a date already: write ${written} without fromUnix().`;
    }
    throw error;
  }
  if (unit !== undefined && unit !== "s" && unit !== "ms") {
    throw fail('$fromUnix needs "s" for seconds or "ms" for milliseconds', 1);
  }
  const date = new Date(Math.round(Number(decimalText(number)) * (unit === "ms" ? 1 : 1000)));
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) {
    throw Object.assign(fail("$fromUnix got a number outside the years 1 to 9999", 0), {
      hintOf: (written: string) => `For milliseconds since 1970 write ${written}.fromUnix("ms").`,
    });
  }
  return date.toISOString();
}

function add(unit: DateUnit): DateFunction {
  return (date, [count], context) => {
    const moved = addTo(date, wholeIn(count, context), unit);
    if (moved !== null) return isoText(moved);
    throw Object.assign(
      new EvaluationError(`the result of ${context.name} is outside the years 1 to 9999`),
      { argument: 1 },
    );
  };
}

function until(unit: "days" | "months" | "years"): DateFunction {
  return (date, [other], context) => between(date, dateIn(other, 1, context), unit);
}

/** Returns the difference in whole units of `milliseconds`. Two instants are compared regardless of the time zone. */
function untilTime(milliseconds: number): DateFunction {
  return (date, [other], context) => {
    if (isInstant(context.value) && isInstant(other)) {
      const inUtc = { ...context, timeZone: "UTC" };
      return difference(dateIn(context.value, 0, inUtc), dateIn(other, 1, inUtc), milliseconds);
    }
    return difference(date, dateIn(other, 1, context), milliseconds);
  };
}

function difference(from: CalendarDate, to: CalendarDate, milliseconds: number): number {
  return Math.trunc((utcTime(to) - utcTime(from)) / milliseconds);
}

function isInstant(value: unknown): boolean {
  return value instanceof Date || (typeof value === "string" && isInstantText(value));
}

function timeOf({ time }: CalendarDate, { name }: DateContext): ClockTime {
  if (time !== null) return time;
  throw Object.assign(new EvaluationError(`${name} needs a date with a time`), {
    argument: 0,
    hint: "Write the date with its time, as in 2026-11-20T10:15.",
  });
}

function wholeIn(value: unknown, { name }: DateContext): number {
  const least = Number.MIN_SAFE_INTEGER;
  return wholeNumberIn(value, { name, argument: 1, least, needed: "a whole number" });
}

/** Whether a number is too small for the seconds since 1970, where a part of a time is asked for. */
function isDuration(name: FunctionName, value: unknown): boolean {
  return (name === "$hour" || name === "$minute") && Math.abs(Number(value)) < 10_000;
}

function isYear(value: unknown): boolean {
  return /^(?:1[5-9]|2[01])\d\d$/.test(String(value));
}
