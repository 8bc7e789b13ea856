import { type DateField, type DatePattern, readDatePattern } from "./date-pattern.ts";
import { dayPeriods, monthNames } from "./format-date.ts";
import { PatternError } from "./pattern-text.ts";
import { type CalendarDate, type DateProblem, readDate } from "./read-date.ts";
import { createCache, remember } from "./remember.ts";

/** Maximum length of a date as text. */
const MAX_LENGTH = 100;

/** How a pattern is read: an expression for the whole text, and the field of each of its groups. */
interface Reader {
  readonly form: RegExp;
  readonly fields: readonly DateField[];
}

const readers = createCache<Reader>();

/**
 * Reads a date that is text in the form of a pattern: `12/31/2026` with `MM/dd/yyyy`. Month names follow the
 * locale; their case does not matter. Numbers may lack their leading zero, unless a number follows directly. `yy` is a year from 2000
 * to 2099. Without a day or a month, the date is the first one. Throws {@link PatternError} for a pattern that cannot be
 * read, or that has no year.
 */
export function parseDate(
  text: string,
  pattern: string,
  { locale, timeZone }: { readonly locale: string; readonly timeZone: string },
): CalendarDate | DateProblem {
  const { form, fields } = readerOf(pattern, locale);
  const found = text.length > MAX_LENGTH ? null : form.exec(text.trim());
  if (found === null) return { problem: "does not have the form of the pattern" };
  const values = new Map(fields.map((field, index) => [field, found[index + 1] ?? ""]));
  const [year, month, day] = [yearIn(values), monthIn(values, locale), values.get("dd") ?? "1"];
  const date = `${year}-${twoDigits(month)}-${twoDigits(values.get("d") ?? day)}`;
  const time = timeIn(values, locale);
  return readDate(time === null ? date : `${date}T${time}`, null, timeZone);
}

/** Throws {@link PatternError} for a pattern that {@link parseDate} cannot read. */
export function checkParsed(pattern: string): void {
  const { parts } = readDatePattern(pattern);
  const fields = parts.filter((part) => typeof part === "string");
  if (!fields.some((field) => field.startsWith("y"))) {
    throw new PatternError("has no year, such as yyyy");
  }
  if (fields.some((field) => /^z/.test(field))) {
    throw new PatternError("has the name of a time zone, which cannot be read: write Z for +01:00");
  }
  if (new Set(fields.map((field) => field.charAt(0))).size < fields.length) {
    throw new PatternError("has the same part of the date twice");
  }
}

function readerOf(pattern: string, locale: string): Reader {
  return remember(readers, `${locale} ${pattern}`, () => {
    checkParsed(pattern);
    const read = readDatePattern(pattern);
    const fields = read.parts.filter((part) => typeof part === "string");
    const source = read.parts.map((_part, index) => sourceAt(read, index, locale)).join("");
    return { form: new RegExp(`^${source}$`, "iu"), fields };
  });
}

/** Returns the part of the expression for a part of the pattern. */
function sourceAt({ parts }: DatePattern, index: number, locale: string): string {
  const part = parts[index];
  if (typeof part !== "string") {
    return escaped(part?.text ?? "").replace(/\s+/gu, "\\s+");
  }
  if (part === "yyyy") return String.raw`(\d{4})`;
  if (part.startsWith("MMM")) return `(${monthsOf(locale).map(named).join("|")})`;
  if (part.startsWith("E")) return String.raw`([\p{L}\p{M}][\p{L}\p{M} -]*\.?)`;
  if (part === "a") return `(${[...halvesOf(locale).keys()].map(escaped).join("|")})`;
  if (part === "Z") return String.raw`(z|[+-]\d\d:?\d\d)`;
  if (part.startsWith("S")) return String.raw`(\d{1,9})`;
  const isTight = isNumber(parts[index + 1]) || isNumber(parts[index - 1]);
  return isTight || part === "yy" ? String.raw`(\d\d)` : String.raw`(\d\d?)`;
}

function isNumber(part: DatePattern["parts"][number] | undefined): boolean {
  return typeof part === "string" && !/^(?:MMM|E|a|Z)/.test(part);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&");
}

/** Returns an expression for a name, whose full stop may be left out. */
function named(name: string): string {
  return name.endsWith(".") ? `${escaped(name.slice(0, -1))}\\.?` : `${escaped(name)}\\.?`;
}

/** Returns long and short names of the months, the longest first. */
function monthsOf(locale: string): string[] {
  return [...monthsByName(locale).keys()].toSorted((one, other) => other.length - one.length);
}

const months = createCache<ReadonlyMap<string, number>>();

function monthsByName(locale: string): ReadonlyMap<string, number> {
  return remember(months, locale, () => {
    const names = new Map<string, number>();
    for (const style of ["long", "short"] as const) {
      for (const besideDay of [true, false]) {
        for (const [index, name] of monthNames(locale, style, besideDay).entries()) {
          names.set(folded(name), index + 1);
        }
      }
    }
    return names;
  });
}

/** The words for the morning and the afternoon, with the number of hours that they add. */
function halvesOf(locale: string): ReadonlyMap<string, number> {
  const own = dayPeriods(locale).map((word, hour): [string, number] => [
    folded(word),
    hour < 12 ? 0 : 12,
  ]);
  return new Map([...own, ["am", 0], ["pm", 12], ["a.m.", 0], ["p.m.", 12]]);
}

function folded(name: string): string {
  return name.toLowerCase();
}

type Values = ReadonlyMap<DateField, string>;

function yearIn(values: Values): string {
  return values.get("yyyy") ?? `20${values.get("yy")}`;
}

function monthIn(values: Values, locale: string): string {
  const name = values.get("MMMM") ?? values.get("MMM");
  if (name === undefined) return values.get("MM") ?? values.get("M") ?? "1";
  const names = monthsByName(locale);
  const known = folded(name);
  return String(names.get(known) ?? names.get(`${known}.`) ?? names.get(known.replace(/\.$/, "")));
}

/** Returns the time in ISO 8601, with its offset; null if the pattern has no hour. */
function timeIn(values: Values, locale: string): string | null {
  const twelve = values.get("h") ?? values.get("hh");
  const hour =
    twelve === undefined
      ? (values.get("H") ?? values.get("HH"))
      : String((Number(twelve) % 12) + (halvesOf(locale).get(folded(values.get("a") ?? "")) ?? 0));
  if (hour === undefined) return null;
  const minute = values.get("m") ?? values.get("mm") ?? "0";
  const second = values.get("s") ?? values.get("ss") ?? "0";
  const fraction = values.get("S") ?? values.get("SS") ?? values.get("SSS");
  const digits = fraction === undefined ? "" : `.${fraction}`;
  const offset = values.get("Z") ?? "";
  return `${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}${digits}${offset}`;
}

function twoDigits(number: string): string {
  return number.padStart(2, "0");
}
