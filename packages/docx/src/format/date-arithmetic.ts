import { type CalendarDate, utcTime } from "./read-date.ts";

const DAY_MS = 86_400_000;

/** The first and the last year of a date. */
const YEARS = [1, 9999] as const;

/** A unit of {@link addTo} and {@link between}. */
export type DateUnit = "days" | "weeks" | "months" | "years" | "workdays";

/**
 * Returns a date moved by a number of units, which may be negative; null outside the years 1 to 9999. If the new month
 * is too short for the day, the result is its last day. Workdays are Monday to Friday.
 */
export function addTo(date: CalendarDate, count: number, unit: DateUnit): CalendarDate | null {
  switch (unit) {
    case "days":
      return onDay(date, dayNumber(date) + count);
    case "weeks":
      return onDay(date, dayNumber(date) + 7 * count);
    case "workdays":
      return onDay(date, afterWorkdays(dayNumber(date), count));
    case "months":
      return inMonth(date, 12 * date.year + date.month - 1 + count);
    case "years":
      return inMonth(date, 12 * (date.year + count) + date.month - 1);
  }
}

/** Returns the number of whole units from one date to another; negative if the other is earlier. */
export function between(
  from: CalendarDate,
  to: CalendarDate,
  unit: "days" | "months" | "years",
): number {
  if (unit === "days") return dayNumber(to) - dayNumber(from);
  const months = 12 * (to.year - from.year) + to.month - from.month;
  const whole = months - partOfMonth(from, to, months);
  return unit === "months" ? whole : Math.trunc(whole / 12);
}

/** Returns the month by which the difference of two dates is less than the difference of their months. */
function partOfMonth(from: CalendarDate, to: CalendarDate, months: number): number {
  const reached = addTo(from, months, "months") ?? from;
  const beyond = dayNumber(reached) - dayNumber(to);
  if (months > 0 && beyond > 0) return 1;
  return months < 0 && beyond < 0 ? -1 : 0;
}

/** Returns the weekday: 1 for Monday, 7 for Sunday. */
export function weekdayOf(date: CalendarDate): number {
  return weekdayOfDay(dayNumber(date));
}

/** Returns the number of the week in ISO 8601: week 1 contains the first Thursday of the year. */
export function weekOf(date: CalendarDate): number {
  const first = dayNumber({ year: weekYearOf(date), month: 1, day: 1, time: null });
  return Math.floor((thursdayOf(date) - first) / 7) + 1;
}

/** Returns the year to which a week belongs in ISO 8601: the one of its Thursday. */
export function weekYearOf(date: CalendarDate): number {
  return fromDayNumber(thursdayOf(date)).year;
}

/** Returns the Monday of the week, without a time. */
export function startOfWeek(date: CalendarDate): CalendarDate {
  return { ...fromDayNumber(thursdayOf(date) - 3), time: null };
}

function thursdayOf(date: CalendarDate): number {
  return dayNumber(date) + 4 - weekdayOf(date);
}

/** Returns the quarter of the year, 1 to 4. */
export function quarterOf({ month }: CalendarDate): number {
  return Math.ceil(month / 3);
}

/** Returns the number of days in a month. */
export function daysIn({ year, month }: Pick<CalendarDate, "year" | "month">): number {
  return new Date(utcTime({ year, month: month + 1, day: 0, time: null })).getUTCDate();
}

/** Returns a date as `2026-11-20`, or with its time as `2026-11-20T15:30:00`. */
export function isoText({ year, month, day, time }: CalendarDate): string {
  const two = (number: number): string => String(number).padStart(2, "0");
  const date = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
  if (time === null) return date;
  const fraction = time.fraction === "" ? "" : `.${time.fraction}`;
  return `${date}T${two(time.hour)}:${two(time.minute)}:${two(time.second)}${fraction}`;
}

/** Returns the number of days since 1 January 1970. */
function dayNumber({ year, month, day }: CalendarDate): number {
  return utcTime({ year, month, day, time: null }) / DAY_MS;
}

function weekdayOfDay(day: number): number {
  // 1 January 1970 was a Thursday.
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

function fromDayNumber(day: number): Pick<CalendarDate, "year" | "month" | "day"> {
  const date = new Date(day * DAY_MS);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
  };
}

function onDay({ time }: CalendarDate, day: number): CalendarDate | null {
  return inYears({ ...fromDayNumber(day), time });
}

function inMonth({ day, time }: CalendarDate, months: number): CalendarDate | null {
  const [year, month] = [Math.floor(months / 12), (((months % 12) + 12) % 12) + 1];
  return inYears({ year, month, day: Math.min(day, daysIn({ year, month })), time });
}

function inYears(date: CalendarDate): CalendarDate | null {
  const [first, last] = YEARS;
  return date.year >= first && date.year <= last ? date : null;
}

/** Returns the day after a number of workdays. A start on a weekend counts as the workday before it, or after it. */
function afterWorkdays(start: number, count: number): number {
  const weekday = weekdayOfDay(start);
  const beyond = Math.max(weekday - 5, 0);
  // For a step forward, Saturday and Sunday count as Friday; for a step back, as Monday.
  const from = count > 0 ? start - beyond : beyond > 0 && count < 0 ? start + 3 - beyond : start;
  const place = weekdayOfDay(from) - 1;
  const weeks = Math.floor((place + count) / 5);
  return count === 0 ? start : from + count + 2 * weeks;
}
