import { type DateField, readDatePattern } from "./date-pattern.ts";
import type { FormatContext } from "./format-number.ts";
import { PatternError, tryPattern } from "./pattern-text.ts";
import type { Printed } from "./print.ts";
import { type CalendarDate, type ClockTime, readDate, utcTime } from "./read-date.ts";
import { createCache, remember } from "./remember.ts";
import { zoneText } from "./time-zones.ts";

/**
 * Formats a date with a pattern; see `readDatePattern` for patterns and `readDate` for values. Names of months and
 * weekdays, am and pm, and digits come from the locale. The calendar is always the Gregorian one. A date without a time
 * cannot be printed with a pattern that shows the time.
 */
export function formatDate(value: unknown, pattern: string, context: FormatContext): Printed {
  const read = tryPattern(() => readDatePattern(pattern));
  if (read instanceof PatternError) {
    return { problem: `cannot be formatted: the argument of its modifier ${read.message}` };
  }
  const date = readDate(value, read.order, context.timeZone);
  if ("problem" in date) return date;
  if (read.showsTime && date.time === null) {
    return {
      problem:
        "is a date without the time that the pattern of its tag shows: leave out HH:mm or the like, or write the date as 2026-11-20T15:30",
    };
  }
  const parts = read.parts.map((part) => {
    if (typeof part !== "string") return part.text;
    return fieldText(part, date, { ...context, besideDay: read.showsDay });
  });
  return { text: parts.join("") };
}

/** The forms of a date in the order and with the words of the locale, without and with the time. */
export const DATE_STYLES = [
  ...(["full", "long", "medium", "short"] as const),
  ...(["full time", "long time", "medium time", "short time"] as const),
];

/** Whether the argument of `format` is one of {@link DATE_STYLES}. */
export function isDateStyle(pattern: string): boolean {
  const style = pattern.trim().toLowerCase();
  return DATE_STYLES.some((each) => each === style);
}

/** Formats a date in one of the forms of the locale. */
export function formatStyle(
  value: unknown,
  style: (typeof DATE_STYLES)[number],
  { locale, timeZone }: FormatContext,
): Printed {
  const date = readDate(value, null, timeZone);
  if ("problem" in date) return date;
  const [dateStyle, time] = style.split(" ") as ["full" | "long" | "medium" | "short", string?];
  if (time !== undefined && date.time === null) {
    return {
      problem:
        "is a date without the time that the format of its tag shows: leave out 'time', or write the date as 2026-11-20T15:30",
    };
  }
  const timeStyle = time === undefined ? {} : ({ timeStyle: "short" } as const);
  return { text: formatter(locale, { dateStyle, ...timeStyle }).format(utcTime(date)) };
}

/**
 * Returns the day of a date as `2026-11-20`; null if the value is not a date. `pattern`: the pattern that prints the
 * value, which shows the order of day and month.
 */
export function isoDay(
  value: unknown,
  pattern: string | undefined,
  { timeZone }: FormatContext,
): string | null {
  const read = pattern === undefined ? null : tryPattern(() => readDatePattern(pattern));
  const order = read === null || read instanceof PatternError ? null : read.order;
  const date = readDate(value, order, timeZone);
  if ("problem" in date) return null;
  const [year, month, day] = [date.year, date.month, date.day].map(String);
  return `${year?.padStart(4, "0")}-${month?.padStart(2, "0")}-${day?.padStart(2, "0")}`;
}

/** Whether a pattern is a date pattern. */
export function isDatePattern(pattern: string): boolean {
  return checkDatePattern(pattern) === null;
}

/** Returns why a pattern is not a valid date pattern; null if it is valid. */
export function checkDatePattern(pattern: string): string | null {
  const read = tryPattern(() => readDatePattern(pattern));
  return read instanceof PatternError ? read.message : null;
}

interface FieldContext extends Pick<FormatContext, "locale" | "timeZone"> {
  readonly besideDay: boolean;
}

const MIDNIGHT: ClockTime = { hour: 0, minute: 0, second: 0, fraction: "" };

function fieldText(field: DateField, date: CalendarDate, context: FieldContext): string {
  const { locale, besideDay } = context;
  switch (field) {
    case "MMMM":
      return nameAt(monthNames(locale, "long", besideDay), date.month - 1);
    case "MMM":
      return nameAt(monthNames(locale, "short", besideDay), date.month - 1);
    case "EEEE":
      return nameAt(weekdayNames(locale, "long"), weekdayOf(date));
    case "EEE":
      return nameAt(weekdayNames(locale, "short"), weekdayOf(date));
    case "a":
      return nameAt(dayPeriods(locale), date.time?.hour ?? 0);
    case "z":
    case "zzzz":
    case "Z":
      return zoneText(field, date, context);
    default:
      return localDigits(numberText(field, date, date.time ?? MIDNIGHT), locale);
  }
}

type NumberField = Exclude<DateField, "MMMM" | "MMM" | "EEEE" | "EEE" | "a" | "z" | "zzzz" | "Z">;

function numberText(field: NumberField, date: CalendarDate, time: ClockTime): string {
  switch (field) {
    case "yyyy":
      return String(date.year).padStart(4, "0");
    case "yy":
      return twoDigits(date.year % 100);
    case "M":
      return String(date.month);
    case "MM":
      return twoDigits(date.month);
    case "d":
      return String(date.day);
    case "dd":
      return twoDigits(date.day);
    case "H":
      return String(time.hour);
    case "HH":
      return twoDigits(time.hour);
    case "h":
      return String(hourOfTwelve(time));
    case "hh":
      return twoDigits(hourOfTwelve(time));
    case "m":
      return String(time.minute);
    case "mm":
      return twoDigits(time.minute);
    case "s":
      return String(time.second);
    case "ss":
      return twoDigits(time.second);
    case "S":
    case "SS":
    case "SSS":
      // The fraction is truncated, not rounded, as on a clock: 10:59:59.999 is not 11:00.
      return time.fraction.slice(0, field.length).padEnd(field.length, "0");
  }
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}

function hourOfTwelve({ hour }: ClockTime): number {
  return hour % 12 === 0 ? 12 : hour % 12;
}

function weekdayOf(date: CalendarDate): number {
  return new Date(utcTime(date)).getUTCDay();
}

function nameAt(names: readonly string[], index: number): string {
  return names[index] ?? "";
}

const names = createCache<readonly string[]>();

/**
 * Returns the names of the months. Next to a day, many languages use another form (`května` instead of `květen`). For
 * Greek, `Intl` uses the form for a day even for a month alone, and the ordinary form only with a year.
 */
export function monthNames(
  locale: string,
  style: "long" | "short",
  besideDay: boolean,
): readonly string[] {
  return remember(names, `${locale} month ${style} ${besideDay}`, () => {
    const alone = formatter(locale, { month: style });
    const isGreek = new Intl.Locale(locale).language === "el";
    const monthAndYear = { month: style, year: "numeric" } as const;
    const inDate = formatter(
      locale,
      besideDay ? { ...monthAndYear, day: "numeric" } : monthAndYear,
    );
    return Array.from({ length: 12 }, (_, month) => {
      const time = utcTime({ year: 2026, month: month + 1, day: 3, time: null });
      const name = besideDay || isGreek ? partOf(inDate, time, "month") : "";
      // In languages that write dates with the number of the month (Japanese 5月3日), the name of a month is its number
      // and a word.
      return name === "" || /^\p{Nd}+$/u.test(name) ? alone.format(time) : name;
    });
  });
}

export function weekdayNames(locale: string, weekday: "long" | "short"): readonly string[] {
  return remember(names, `${locale} weekday ${weekday}`, () => {
    // 4 January 2026 is a Sunday.
    return Array.from({ length: 7 }, (_, day) =>
      formatter(locale, { weekday }).format(
        utcTime({ year: 2026, month: 1, day: 4 + day, time: null }),
      ),
    );
  });
}

/** Returns the locale's words for am and pm, for each hour from 0 to 23. */
export function dayPeriods(locale: string): readonly string[] {
  return remember(names, `${locale} day period`, () => {
    const hours = formatter(locale, { hour: "numeric", hour12: true });
    return Array.from({ length: 24 }, (_, hour) => {
      const time = { hour, minute: 0, second: 0, fraction: "" };
      const period = partOf(hours, utcTime({ year: 2026, month: 1, day: 4, time }), "dayPeriod");
      return period === "" ? (hour < 12 ? "AM" : "PM") : period;
    });
  });
}

function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const fixed = { timeZone: "UTC", calendar: "gregory" };
  return new Intl.DateTimeFormat([locale, "en-US"], { ...options, ...fixed });
}

function partOf(
  format: Intl.DateTimeFormat,
  time: number,
  type: Intl.DateTimeFormatPartTypes,
): string {
  return format.formatToParts(time).find((part) => part.type === type)?.value ?? "";
}

/** Returns the text with the digits of the locale: ٢٠٢٦ in `ar-EG`. */
function localDigits(text: string, locale: string): string {
  const digits = remember(names, `${locale} digits`, () => {
    const format = new Intl.NumberFormat([locale, "en-US"], { useGrouping: false });
    return Array.from({ length: 10 }, (_, digit) => format.format(digit));
  });
  return digits[1] === "1"
    ? text
    : text.replace(/[0-9]/g, (digit) => nameAt(digits, Number(digit)));
}
