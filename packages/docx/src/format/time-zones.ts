import type { FormatContext } from "./format-number.ts";
import { type CalendarDate, utcTime } from "./read-date.ts";
import { createCache, remember } from "./remember.ts";

/**
 * Returns the name of a time zone at a date, in the words of the locale: `z` is short (`CET`, or `GMT+1` where the
 * language has no short name), `zzzz` is long, and `Z` is the offset from UTC. A time without a zone is in the given
 * time zone, as in comparisons.
 */
export function zoneText(
  field: "z" | "zzzz" | "Z",
  date: CalendarDate,
  { locale, timeZone }: Pick<FormatContext, "locale" | "timeZone">,
): string {
  const instant = date.instant ?? instantOf(date, timeZone);
  if (field === "Z") return offsetAt(instant, timeZone);
  return nameAt(instant, timeZone, { locale, style: field === "z" ? "short" : "long" });
}

/** Returns the instant of a date and time in a time zone. */
function instantOf(date: CalendarDate, timeZone: string): number {
  const asUtc = utcTime(date);
  // The offset at the first guess may be the one on the other side of a change of the clocks.
  const guess = asUtc - minutesOf(offsetAt(asUtc, timeZone)) * 60_000;
  return asUtc - minutesOf(offsetAt(guess, timeZone)) * 60_000;
}

/** Returns the minutes of an offset such as `+01:00`. */
function minutesOf(offset: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}

/** Returns the offset of a time zone from UTC at an instant, as `+01:00`. */
function offsetAt(instant: number, timeZone: string): string {
  const name = nameAt(instant, timeZone, { locale: "en-US", style: "longOffset" });
  return /[+-]\d\d:\d\d/.exec(name)?.[0] ?? "+00:00";
}

const formatters = createCache<Intl.DateTimeFormat>();

function nameAt(
  instant: number,
  timeZone: string,
  { locale, style }: { readonly locale: string; readonly style: "short" | "long" | "longOffset" },
): string {
  const format = remember(formatters, `${locale} ${timeZone} ${style}`, () => {
    const options = { timeZone, timeZoneName: style, calendar: "gregory" } as const;
    return new Intl.DateTimeFormat([locale, "en-US"], options);
  });
  const part = format.formatToParts(instant).find(({ type }) => type === "timeZoneName");
  return part?.value ?? "";
}
