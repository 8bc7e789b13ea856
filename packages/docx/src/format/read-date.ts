import { createCache, remember } from "./remember.ts";

/** A date of the Gregorian calendar, with the time of day if the value has one. */
export interface CalendarDate {
  /** The year, from 1 to 9999. */
  readonly year: number;
  /** The month, from 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly time: ClockTime | null;
  /** For an instant, the milliseconds since 1970. Absent for a date or time without a zone. */
  readonly instant?: number;
}

/** A time of day. */
export interface ClockTime {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** All digits that the value has for the fraction of the second. */
  readonly fraction: string;
}

/** Which of two numbers in a date is the day. */
export type DayMonthOrder = "day first" | "month first";

/** Why a value cannot be printed as a date: the end of the sentence "The value …". */
export interface DateProblem {
  readonly problem: string;
}

/** Matches `2026-11-20`, optionally followed by a time. */
const ISO_DATE = /^(\d{4})-(\d\d)-(\d\d)(?!\d)(.*)$/s;
/** Matches `20-11-2026`, with `-`, `/` or `.`, optionally followed by a time. */
const NUMERIC_DATE = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d)(.*)$/s;
/** Matches `T10:15` or ` 10:15:30.5`, followed by nothing, `Z` or an offset such as `+01:00`. */
const TIME =
  /^[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:([Zz])| ?([+-])(\d\d)(?::?(\d\d))?)?$/;

const MAX_LENGTH = 60;

/**
 * Reads a date: a string in ISO 8601 (`2026-11-20`, `2026-11-20T15:30`, `2026-11-20T15:30:00.25+01:00`, with a space
 * allowed instead of `T`), or a `Date`. A string such as `05-11-2026` is read in the given order; without an order, it
 * is a problem, even if its numbers allow only one reading. With dots (`05.11.2026`), the day comes first, and the other order is a problem. A number is always a problem, because it may count seconds,
 * milliseconds or days. An instant (`Date`, `Z` or an offset) becomes the date and time in the time zone; other values
 * are unchanged. Dates and times that do not exist are problems.
 */
export function readDate(
  value: unknown,
  order: DayMonthOrder | null,
  timeZone: string,
): CalendarDate | DateProblem {
  if (value instanceof Date) {
    const time = value.getTime();
    return Number.isNaN(time) ? { problem: "is an invalid date" } : dateInZone(time, timeZone);
  }
  if (typeof value === "number" || typeof value === "bigint") {
    return { problem: `is a number, which could mean any date: ${FORM}` };
  }
  if (typeof value !== "string" || value.length > MAX_LENGTH) return UNREADABLE;
  return readText(value.trim(), order, timeZone);
}

const FORM = "write it as 2026-11-20";
const EMPTY: DateProblem = {
  problem: "is empty text, not a date: give null instead, or test it with 'if' before",
};
const UNREADABLE: DateProblem = { problem: `cannot be read as a date: ${FORM}` };
const MONTH_AFTER_DAY: DateProblem = {
  problem: `is a date with dots, which starts with the day, but the pattern of its tag starts with the month: ${FORM}`,
};
const OUT_OF_RANGE: DateProblem = { problem: "is a date outside the years 1 to 9999" };

function readText(
  text: string,
  order: DayMonthOrder | null,
  timeZone: string,
): CalendarDate | DateProblem {
  const iso = ISO_DATE.exec(text);
  if (iso !== null) {
    const [, year, month, day, rest = ""] = iso;
    return readRest(Number(year), Number(month), Number(day), rest, timeZone);
  }
  if (text === "") return EMPTY;
  const numeric = NUMERIC_DATE.exec(text);
  if (numeric === null) return UNREADABLE;
  const [, first, separator, second, year, rest = ""] = numeric;
  const inOrder = separator === "." ? (order ?? "day first") : order;
  if (inOrder === null) {
    return {
      problem: `does not show which part is the day, and neither does the pattern of its tag: ${FORM}, or use a pattern in the order of the data, such as MM/dd/yyyy`,
    };
  }
  if (separator === "." && inOrder === "month first") return MONTH_AFTER_DAY;
  const [day, month] = inOrder === "day first" ? [first, second] : [second, first];
  return readRest(Number(year), Number(month), Number(day), rest, timeZone);
}

function readRest(
  year: number,
  month: number,
  day: number,
  rest: string,
  timeZone: string,
): CalendarDate | DateProblem {
  const match = TIME.exec(rest);
  if (match === null && rest !== "") return UNREADABLE;
  const noDate = impossible(year, month, day);
  if (noDate !== null) return noDate;
  if (match === null) return { year, month, day, time: null };
  const [, hours, minutes, seconds = "0", fraction = "", zulu, sign, offset, more = "0"] = match;
  const time = { hour: Number(hours), minute: Number(minutes), second: Number(seconds), fraction };
  if (time.hour > 23 || time.minute > 59 || time.second > 59) {
    return { problem: "is a time that does not exist: it is not from 00:00 to 23:59" };
  }
  const date = { year, month, day, time };
  if (zulu === undefined && offset === undefined) return date;
  const [offsetHours, offsetMinutes] = [Number(offset ?? "0"), Number(more)];
  if (offsetHours > 23 || offsetMinutes > 59) {
    return { problem: "is a time that does not exist: its offset is not from 00:00 to 23:59" };
  }
  const ahead = (sign === "-" ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * 60_000;
  const shown = dateInZone(utcTime(date) - ahead, timeZone);
  if ("problem" in shown || shown.time === null) return shown;
  return { ...shown, time: { ...shown.time, fraction } };
}

/** Returns why a date does not exist in the proleptic Gregorian calendar, from year 1 on; null if it exists. */
function impossible(year: number, month: number, day: number): DateProblem | null {
  const none = (why: string): DateProblem => ({
    problem: `is a date that does not exist: ${why}`,
  });
  if (year < 1) return none("its year is before year 1");
  if (month < 1 || month > 12) return none("its month is not from 1 to 12");
  const lastDay = new Date(utcTime({ year, month: month + 1, day: 0, time: null })).getUTCDate();
  if (day >= 1 && day <= lastDay) return null;
  return none(day < 1 || day > 31 ? "its day is not from 1 to 31" : "its month has fewer days");
}

/** Interprets a date and time as UTC. Returns the milliseconds since 1970, without the fraction of a second. */
export function utcTime({ year, month, day, time }: CalendarDate): number {
  // Not Date.UTC, which maps the years 0 to 99 to 1900 to 1999.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (time !== null) date.setUTCHours(time.hour, time.minute, time.second);
  return date.getTime();
}

const DAY = 86_400_000;

/** Converts milliseconds since 1970 to the date and time in a time zone. */
function dateInZone(milliseconds: number, timeZone: string): CalendarDate | DateProblem {
  const past = ((milliseconds % 1000) + 1000) % 1000;
  const fraction = past === 0 ? "" : String(past).padStart(3, "0");
  const instant = milliseconds - past;
  const shown = timeZone === "UTC" ? fieldsInUtc(instant) : fieldsInZone(instant, timeZone);
  const { year, month, day, hour, minute, second } = shown;
  const date = { year, month, day, time: { hour, minute, second, fraction }, instant };
  // Formatted years before year 1 count up again (1 BC is 1), so the date must also match the instant.
  const inRange = year >= 1 && year <= 9999 && Math.abs(utcTime(date) - instant) < 2 * DAY;
  return inRange ? date : OUT_OF_RANGE;
}

type Fields = Pick<CalendarDate, "year" | "month" | "day"> & Omit<ClockTime, "fraction">;

function fieldsInUtc(instant: number): Fields {
  const date = new Date(instant);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

const zones = createCache<Intl.DateTimeFormat>();

function fieldsInZone(instant: number, timeZone: string): Fields {
  const zone = remember(zones, timeZone, () => {
    return new Intl.DateTimeFormat("en-US", {
      timeZone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  });
  const fields = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  for (const { type, value } of zone.formatToParts(instant)) {
    if (Object.hasOwn(fields, type)) fields[type as keyof Fields] = Number(value);
  }
  return fields;
}
