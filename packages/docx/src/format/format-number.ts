import {
  absolute,
  type Decimal,
  decimalPlaces,
  decimalText,
  isZero,
  multiply,
  roundDecimal,
  toDecimal,
} from "./decimal.ts";
import { minorUnitsOf } from "./minor-units.ts";
import {
  type Affix,
  MAX_DECIMALS,
  type NumberSection,
  PERCENT_SIGN,
  readNumberPattern,
} from "./number-pattern.ts";
import { PatternError, tryPattern } from "./pattern-text.ts";
import type { Printed } from "./print.ts";
import { createCache, remember } from "./remember.ts";

/** The locale and time zone for formatting. */
export interface FormatContext {
  /** A language tag that `checkLocale` accepts, such as `de-DE`. Other tags throw a RangeError. */
  readonly locale: string;
  /** A time zone that `checkTimeZone` accepts, such as `Europe/Berlin`. Other names throw a RangeError. */
  readonly timeZone: string;
}

/** `Intl` formats numbers with more digits than this before the point as ∞. */
const MAX_WHOLE_DIGITS = 300;

/** Matches a number of decimals, as authors write it. */
const DECIMALS = /^\d{1,3}$/;

/**
 * Formats a number for the locale, rounded half away from zero. The pattern is one of these: null for all decimals of
 * the number; a number of decimals, which may also be a string, except `0`, `00` and `000`, which are patterns; or a
 * pattern for {@link readNumberPattern}. In such a pattern, `,` always separates thousands, even if the locale would
 * write 1234 without a separator. Symbols, digits and the size of groups come from the locale. -0 is never shown.
 */
export function formatNumber(
  value: unknown,
  pattern: string | number | null,
  { locale }: FormatContext,
): Printed {
  const number = readNumber(value);
  if ("problem" in number) return number;
  if (pattern === null) return formatWhole(number, { locale, grouping: "auto" });
  const decimals = readDecimals(pattern);
  if (decimals === null) return formatByPattern(number, String(pattern), locale);
  if (!isDecimals(decimals)) return badPattern(TOO_MANY_DECIMALS);
  const formatter = numberFormatter({ locale, grouping: "auto", min: decimals, max: decimals });
  return { text: exactly(formatter, roundDecimal(number, decimals)) };
}

/**
 * Formats an amount of money in an ISO 4217 currency, rounded half away from zero. If `decimals` is null, the amount
 * has the currency's usual number of decimals.
 */
export function formatCurrency(
  value: unknown,
  code: string,
  decimals: number | null,
  { locale }: FormatContext,
): Printed {
  const number = readNumber(value);
  if ("problem" in number) return number;
  if (!isCurrency(code)) return badPattern("is not a currency code");
  const places = decimals ?? minorUnitsOf(code);
  if (!isDecimals(places)) return badPattern(TOO_MANY_DECIMALS);
  return { text: exactly(currencyFormatter(locale, code, places), roundDecimal(number, places)) };
}

/**
 * Formats a fraction as a percentage: 0.125 is 12.5%. Rounds half away from zero to `digits` decimals; null keeps all
 * decimals.
 */
export function formatPercent(
  value: unknown,
  digits: number | null,
  { locale }: FormatContext,
): Printed {
  const number = readNumber(value);
  if ("problem" in number) return number;
  if (digits === null) return formatWhole(number, { locale, grouping: "auto", style: "percent" });
  if (!isDecimals(digits)) return badPattern(TOO_MANY_DECIMALS);
  const formatter = numberFormatter({
    locale,
    grouping: "auto",
    style: "percent",
    min: digits,
    max: digits,
  });
  return { text: exactly(formatter, roundDecimal(number, digits + 2)) };
}

/** Formats a number with all its decimals in the form 1,234.5, regardless of the locale. */
export function usNumber(value: unknown): Printed {
  return formatNumber(value, null, { locale: "en-US", timeZone: "UTC" });
}

/** Formats a number with all its decimals in the form 1.234,5, regardless of the locale. */
export function euNumber(value: unknown): Printed {
  return formatNumber(value, null, { locale: "de-DE", timeZone: "UTC" });
}

/** Returns why an argument is invalid for `number(…)`; null if it is valid. */
export function checkNumberPattern(pattern: string | number): string | null {
  const decimals = readDecimals(pattern);
  if (decimals !== null) return isDecimals(decimals) ? null : TOO_MANY_DECIMALS;
  const read = tryPattern(() => readNumberPattern(String(pattern)));
  return read instanceof PatternError ? read.message : null;
}

/** Returns why an argument is not a valid number of decimals, for example for `percent(…)`; null if it is valid. */
export function checkDecimals(digits: string): string | null {
  return DECIMALS.test(digits) && isDecimals(Number(digits)) ? null : TOO_MANY_DECIMALS;
}

/** Whether a code is an ISO 4217 currency code, in uppercase or lowercase. */
export function isCurrency(code: string): boolean {
  if (!/^[a-z]{3}$/i.test(code)) return false;
  const names = remember(currencyNames, "en", () => {
    return new Intl.DisplayNames("en", { type: "currency", fallback: "none" });
  });
  return names.of(code) !== undefined;
}

const currencyNames = createCache<Intl.DisplayNames>();

const TOO_MANY_DECIMALS = `is not a number of decimals from 0 to ${MAX_DECIMALS}`;

function isDecimals(digits: number): boolean {
  return Number.isInteger(digits) && digits >= 0 && digits <= MAX_DECIMALS;
}

/** Returns the number of decimals; null if the argument is a pattern. */
function readDecimals(pattern: string | number): number | null {
  if (typeof pattern === "number") return pattern;
  return DECIMALS.test(pattern) && !/^0+$/.test(pattern) ? Number(pattern) : null;
}

function badPattern(why: string): Printed {
  return { problem: `cannot be formatted: the argument of its modifier ${why}` };
}

function readNumber(value: unknown): Decimal | { readonly problem: string } {
  const number = toDecimal(value);
  if (number === null) {
    const form = "write it as 1234.56, without separators between thousands";
    return {
      problem:
        value === ""
          ? "is empty text, not a number: give null in the data, or put the tag into a block that tests it"
          : `cannot be read as a number: ${form}`,
    };
  }
  return number.e < MAX_WHOLE_DIGITS
    ? number
    : { problem: `has more than ${MAX_WHOLE_DIGITS} digits before the decimal point` };
}

/** Formats a number with all its decimals. No decimal is ever dropped. */
function formatWhole(number: Decimal, options: Omit<FormatterOptions, "min" | "max">): Printed {
  if (decimalPlaces(number) > MAX_DECIMALS) {
    const hint = "give the modifier the number of decimals to show";
    return { problem: `has more than ${MAX_DECIMALS} decimals: ${hint}` };
  }
  return { text: exactly(numberFormatter({ ...options, min: 0, max: MAX_DECIMALS }), number) };
}

function formatByPattern(number: Decimal, pattern: string, locale: string): Printed {
  const read = tryPattern(() => readNumberPattern(pattern));
  if (read instanceof PatternError) return badPattern(read.message);
  const { positive, negative, zero } = read;
  if (zero !== null && isZero(number)) {
    return { text: typeof zero === "string" ? zero : writeSection(zero, number, locale) };
  }
  if (number.s < 0 && negative !== null) {
    const rounded = roundTo(negative, number);
    // A number that rounds to zero is no longer negative.
    if (!isZero(rounded)) return { text: writeSection(negative, absolute(rounded), locale) };
  }
  const rounded = roundTo(positive, number);
  const text = writeSection(positive, absolute(rounded), locale);
  if (rounded.s > 0 || isZero(rounded)) return { text };
  const [before, after] = minusSign(locale);
  return { text: before + text + after };
}

const HUNDRED = toDecimal(100) as Decimal;

function roundTo({ percent, maxFraction }: NumberSection, number: Decimal): Decimal {
  return roundDecimal(percent ? multiply(number, HUNDRED) : number, maxFraction);
}

function writeSection(section: NumberSection, rounded: Decimal, locale: string): string {
  const formatter = numberFormatter({
    locale,
    grouping: section.grouped ? "always" : false,
    minInteger: Math.max(section.minInteger, 1),
    min: section.minFraction,
    max: section.maxFraction,
  });
  const parts = formatter.formatToParts(spelled(rounded));
  const bare = section.minInteger === 0 && rounded.e < 0 && parts.some(isPoint);
  const digits = parts.filter(({ type }) => !(bare && type === "integer"));
  const affix = (texts: Affix) =>
    texts.map((text) => (text === PERCENT_SIGN ? percentSign(locale) : text)).join("");
  return affix(section.prefix) + digits.map(({ value }) => value).join("") + affix(section.suffix);
}

function isPoint({ type }: Intl.NumberFormatPart): boolean {
  return type === "decimal";
}

/** Returns the locale's text before and after a negative number. */
function minusSign(locale: string): [string, string] {
  const parts = numberFormatter({ locale, grouping: false, min: 0, max: 0 }).formatToParts(-1);
  const at = parts.findIndex(({ type }) => type === "integer");
  const text = (some: Intl.NumberFormatPart[]) => some.map(({ value }) => value).join("");
  return [text(parts.slice(0, at)), text(parts.slice(at + 1))];
}

function percentSign(locale: string): string {
  const formatter = numberFormatter({ locale, grouping: false, style: "percent", min: 0, max: 0 });
  return formatter.formatToParts(1).find(({ type }) => type === "percentSign")?.value ?? "%";
}

/** Formats a number that is already rounded. `Intl` reads it digit by digit and does not drop any digit. */
function exactly(formatter: Intl.NumberFormat, number: Decimal): string {
  return formatter.format(spelled(number));
}

function spelled(number: Decimal): Intl.StringNumericLiteral {
  return decimalText(number) as Intl.StringNumericLiteral;
}

interface FormatterOptions {
  readonly locale: string;
  readonly grouping: "auto" | "always" | false;
  readonly style?: "decimal" | "percent";
  readonly minInteger?: number;
  readonly min: number;
  readonly max: number;
}

const formatters = createCache<Intl.NumberFormat>();

/** Returns a cached formatter. A locale without data falls back to English, never to the language of the process. */
function numberFormatter(options: FormatterOptions): Intl.NumberFormat {
  const { locale, grouping, style = "decimal", minInteger = 1, min, max } = options;
  const key = `${locale} ${grouping} ${style} ${minInteger} ${min} ${max}`;
  return remember(formatters, key, () => {
    return new Intl.NumberFormat([locale, "en-US"], {
      style,
      useGrouping: grouping,
      minimumIntegerDigits: minInteger,
      minimumFractionDigits: min,
      maximumFractionDigits: max,
    });
  });
}

const currencyFormatters = createCache<Intl.NumberFormat>();

function currencyFormatter(locale: string, currency: string, places: number): Intl.NumberFormat {
  return remember(currencyFormatters, `${locale} ${currency} ${places}`, () => {
    return new Intl.NumberFormat([locale, "en-US"], {
      style: "currency",
      currency,
      minimumFractionDigits: places,
      maximumFractionDigits: places,
    });
  });
}
