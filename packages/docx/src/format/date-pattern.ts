import { PatternError, readPatternText } from "./pattern-text.ts";
import type { DayMonthOrder } from "./read-date.ts";
import { createCache, remember } from "./remember.ts";

/**
 * The fields of a date pattern:
 *
 * | field | shows | also written |
 * |---|---|---|
 * | `yyyy`, `yy` | 2026, 26 | `YYYY`, `YY` |
 * | `M`, `MM` | 3, 03 (month) | `m`, `mm` |
 * | `MMM`, `MMMM` | Mar, March | `mmm`, `mmmm` |
 * | `d`, `dd` | 5, 05 (day of the month) | `D`, `DD` |
 * | `EEE`, `EEEE` | Thu, Thursday | `E`, `EE`, `ddd`; `dddd` |
 * | `H`, `HH` | 9, 09 (hour, 0 to 23) | |
 * | `h`, `hh`, with `a` | 9, 09 (hour, 1 to 12), AM | |
 * | `m`, `mm` | 7, 07 (minute), right after an hour or before a second | |
 * | `s`, `ss` | 2, 02 (second) | |
 * | `S`, `SS`, `SSS` | tenths, hundredths, thousandths after the second, cut off | |
 * | `z`, `zzzz` | GMT+1, Central European Standard Time (time zone) | |
 * | `Z` | +01:00 (offset from UTC) | |
 */
const FIELDS = [
  ...["yyyy", "yy", "M", "MM", "MMM", "MMMM", "d", "dd", "EEE", "EEEE"],
  ...["H", "HH", "h", "hh", "a", "m", "mm", "s", "ss", "S", "SS", "SSS"],
  ...["z", "zzzz", "Z"],
] as const;

/** A field in its primary form; `m` and `mm` are minutes. */
export type DateField = (typeof FIELDS)[number];

const SPELLINGS = new Map<string, DateField>([
  ...FIELDS.map((field) => [field, field] as const),
  ["YYYY", "yyyy"],
  ["YY", "yy"],
  ["mmm", "MMM"],
  ["mmmm", "MMMM"],
  ["D", "d"],
  ["DD", "dd"],
  ["E", "EEE"],
  ["EE", "EEE"],
  ["ddd", "EEE"],
  ["dddd", "EEEE"],
]);

/** A parsed date pattern. */
export interface DatePattern {
  /** Fields, and the text between them. */
  readonly parts: readonly (DateField | { readonly text: string })[];
  /** Whether the pattern shows any part of the time of day. */
  readonly showsTime: boolean;
  /** Whether the pattern shows the time zone. */
  readonly showsZone: boolean;
  /** Whether the pattern shows the day of the month. Next to a day, month names may have a different form. */
  readonly showsDay: boolean;
  /**
   * The order of the day and month numbers; null if the pattern does not have both, or if the year comes before one of
   * them.
   */
  readonly order: DayMonthOrder | null;
}

const patterns = createCache<DatePattern>();

/**
 * Reads a date pattern, such as `dd-mm-yyyy` or `EEEE, d MMMM yyyy 'at' HH:mm`. ASCII letters that are not
 * fields must be in quotes; all other characters are literal. Rejects patterns that would print something
 * unintended: `HH:MM` (the month instead of minutes), `hh` without `a`, `Mmm`. Throws {@link PatternError}.
 */
export function readDatePattern(pattern: string): DatePattern {
  return remember(patterns, pattern, () => {
    if (/%[a-z]/i.test(pattern)) {
      throw new PatternError("has '%', which date patterns do not have: write dd.MM.yyyy HH:mm");
    }
    const half = halfOfDay(pattern);
    if (half !== null) throw new PatternError(`has '${half.written}', which is 'a' in a pattern`);
    const runs = readRuns(pattern);
    const spelled = runs.filter(({ isField }) => isField).map(({ text }) => text);
    const fields = spelled.map((_, index) => fieldAt(spelled, index));
    checkFields(fields);
    let next = 0;
    return {
      parts: runs.map(({ text, isField }) => (isField && fields[next++]) || { text }),
      showsTime: fields.some((field) => /^[HhmszZ]/.test(field)),
      showsZone: fields.some((field) => /^[zZ]/.test(field)),
      showsDay: fields.some(isDay),
      order: orderOf(fields),
    };
  });
}

/** Matches `AM/PM`, `am` and other forms of it after the hour, the minutes or the seconds. */
const HALF =
  /(?<=[Hhms]\s*)(?:[aA][mM]?\s*\/\s*[pP][mM]?|[aA][mM][pP][mM]|[aApP]\.?[mM]\.?|A)(?![A-Za-z])/;

/** Returns the form of `AM/PM` in a pattern such as `h:mm AM/PM`, and the pattern with `a` in its place; or null. */
export function halfOfDay(
  pattern: string,
): { readonly written: string; readonly meant: string } | null {
  const written = /['"]/.test(pattern) ? undefined : HALF.exec(pattern)?.[0];
  return written === undefined ? null : { written, meant: pattern.replace(HALF, "a") };
}

/** A run of one letter, or the text between two runs. */
interface Run {
  text: string;
  readonly isField: boolean;
}

function readRuns(pattern: string): Run[] {
  const runs: Run[] = [];
  for (const { char, quoted } of readPatternText(pattern)) {
    const isField = !quoted && /^[a-z]$/i.test(char);
    const last = runs.at(-1);
    if (last?.isField === isField && (!isField || last.text.endsWith(char))) last.text += char;
    else if (isField && last?.isField && isOtherCase(last.text, char)) {
      throw new PatternError(
        `has '${last.text}${char}', which mixes uppercase and lowercase letters`,
      );
    } else runs.push({ text: char, isField });
  }
  return runs;
}

/**
 * Whether a letter repeats the end of a run in the other case. `Mmm` is not a month followed by another month, but
 * `ssSSS` is seconds followed by their fraction.
 */
function isOtherCase(run: string, char: string): boolean {
  return char !== "S" && run.toLowerCase().endsWith(char.toLowerCase());
}

/** Returns the end of the sentence "The pattern has '…', ". */
function whyNoField(text: string): string {
  if (/^[TJtj]+$/.test(text)) {
    return "which is not part of a date: in every language, write dd.MM.yyyy, and 'a' for am or pm";
  }
  if (!/^[QqwWe]+$/.test(text)) {
    return "which is not part of a date such as yyyy, MMMM or dd: put literal text in quotes, as in d 'of' MMMM";
  }
  const name = /^q/i.test(text) ? "quarter" : /^w/i.test(text) ? "week" : "weekday";
  return `which patterns do not have: write due.${name}() for the ${name}, or EEEE for the name of the weekday`;
}

function fieldAt(spelled: readonly string[], index: number): DateField {
  const text = spelled[index] ?? "";
  const isBesideTime =
    /^(?:HH?|hh?)$/.test(spelled[index - 1] ?? "") || /^ss?$/.test(spelled[index + 1] ?? "");
  if (isBesideTime && /^MM?$/.test(text)) {
    throw new PatternError("has the month (MM) where the minutes (mm) belong");
  }
  if (text === "m" || text === "mm") return isBesideTime ? text : text === "m" ? "M" : "MM";
  const field = SPELLINGS.get(text);
  if (field === undefined) throw new PatternError(`has '${text}', ${whyNoField(text)}`);
  return field;
}

function checkFields(fields: readonly DateField[]): void {
  if (fields.length === 0) {
    throw new PatternError("has no part of a date, such as yyyy, MMMM or dd");
  }
  const hasHalf = fields.includes("a");
  const hasTwelve = fields.includes("h") || fields.includes("hh");
  if (hasTwelve && !hasHalf) {
    throw new PatternError(
      "has hh, the hour from 1 to 12, without 'a' for am or pm: add a, or write HH for the hour from 0 to 23",
    );
  }
  if (hasHalf && !hasTwelve) {
    throw new PatternError("has 'a', which prints am or pm, without hh, the hour from 1 to 12");
  }
  fields.forEach((field, index) => {
    if (field.startsWith("S") && !fields[index - 1]?.startsWith("s")) {
      throw new PatternError(
        "has S, a fraction of a second, that does not follow the seconds: write ss.SSS",
      );
    }
  });
}

function isDay(field: DateField): boolean {
  return field === "d" || field === "dd";
}

function orderOf(fields: readonly DateField[]): DayMonthOrder | null {
  const day = fields.findIndex(isDay);
  const month = fields.findIndex((field) => field === "M" || field === "MM");
  const year = fields.findIndex((field) => field.startsWith("y"));
  if (day < 0 || month < 0 || (year >= 0 && year < Math.max(day, month))) return null;
  return day < month ? "day first" : "month first";
}
