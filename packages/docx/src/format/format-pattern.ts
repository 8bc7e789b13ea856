import { localeOfCountry } from "./country-locales.ts";
import { decimalText, isDecimal, toDecimal } from "./decimal.ts";
import { checkDatePattern, DATE_STYLES, formatDate, formatStyle } from "./format-date.ts";
import {
  checkDecimals,
  checkNumberPattern,
  euNumber,
  type FormatContext,
  isCurrency,
  usNumber,
} from "./format-number.ts";
import {
  type PatternCharacter,
  PatternError,
  readPatternText,
  tryPattern,
} from "./pattern-text.ts";
import { kindOf, type Printed } from "./print.ts";
import { createCache, remember } from "./remember.ts";

/**
 * Formats a value for `format("…")`. The pattern is `US-Number` or `EU-Number`; or a mask, if it has an `x` or `X`; or
 * a date pattern for {@link formatDate}. In a mask, each `x` or `X` represents the next character of the value, and all
 * else is literal. A literal `x` must be in quotes.
 */
export function formatPattern(value: unknown, pattern: string, context: FormatContext): Printed {
  const format = tryPattern(() => readFormat(pattern));
  return format instanceof PatternError
    ? { problem: `cannot be formatted: the argument of its modifier ${format.message}` }
    : format(value, context);
}

/**
 * Returns why a modifier does not accept an argument, as the end of the sentence "The argument '…' …" without a full
 * stop; null if it accepts the argument.
 */
export function checkPattern(
  kind: "format" | "number" | "currency" | "percent",
  argument: string | number,
): string | null {
  const text = String(argument);
  switch (kind) {
    case "format": {
      const format = tryPattern(() => readFormat(text));
      return format instanceof PatternError ? format.message : null;
    }
    case "number":
      return checkNumberPattern(argument);
    case "currency":
      return isCurrency(text) ? null : "is not an ISO 4217 currency code, such as EUR or USD";
    case "percent":
      return checkDecimals(text);
  }
}

/** Maximum number of characters in the name of a locale or time zone. */
const MAX_NAME = 100;

/**
 * Returns why a locale is invalid, as the end of the sentence "The locale '…' …" without a full stop; null if it is
 * valid.
 */
export function checkLocale(locale: string): string | null {
  const form = `write ${localeOfCountry(locale) ?? "a language tag such as en-US, de-DE or fr"}`;
  if (!isKnown(locale, () => Intl.getCanonicalLocales(locale)))
    return `is not a language tag: ${form}`;
  return Intl.NumberFormat.supportedLocalesOf(locale).length > 0
    ? null
    : `is not a language whose formats are known: ${form}`;
}

/**
 * Returns why a time zone is invalid, as the end of the sentence "The time zone '…' …" without a full stop; null if it
 * is valid.
 */
export function checkTimeZone(timeZone: string): string | null {
  return isKnown(timeZone, () => new Intl.DateTimeFormat("en-US", { timeZone }))
    ? null
    : "is not known: write UTC, a name such as Europe/Berlin, or an offset such as +01:00";
}

/** Whether `Intl` knows a name. `use` passes the name to `Intl`, which throws a RangeError for an unknown one. */
function isKnown(name: string, use: () => unknown): boolean {
  if (name.length > MAX_NAME) return false;
  try {
    use();
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

type Format = (value: unknown, context: FormatContext) => Printed;

const NAMED = new Map<string, Format>([
  ["us-number", usNumber],
  ["eu-number", euNumber],
  ...DATE_STYLES.map(
    (style) =>
      [
        style,
        (value: unknown, context: FormatContext) => formatStyle(value, style, context),
      ] as const,
  ),
]);

const formats = createCache<Format>();

function readFormat(pattern: string): Format {
  return remember(formats, pattern, () => {
    const named = NAMED.get(pattern.trim().toLowerCase());
    if (named !== undefined) return named;
    const characters = readPatternText(pattern);
    if (characters.some(isPlace)) return (value) => formatMask(value, characters);
    const why = checkDatePattern(pattern);
    if (why === null) return (value, context) => formatDate(value, pattern, context);
    if (characters.some(({ char, quoted }) => !quoted && "#0".includes(char))) {
      const number = /^[#0,.]*0[#0,.]*%$/.test(pattern) ? pattern : "#,##0.00";
      throw new PatternError(
        `is the pattern of a number: write number("${number}"), or a mask such as xxx-xxxx`,
      );
    }
    const lettered = withLetters(pattern);
    if (lettered !== null)
      throw new PatternError(`has the name of a part of a date: write format("${lettered}")`);
    if (/^\s*time\s*$/i.test(pattern))
      throw new PatternError('is not a format of dates: write format("HH:mm")');
    const [, style] = /^\s*(long|medium|short|full)\s+date\s*$/i.exec(pattern) ?? [];
    if (style !== undefined) {
      throw new PatternError(`is not a format of dates: write format("${style.toLowerCase()}")`);
    }
    throw new PatternError(
      `${why} (other formats are long, medium and short dates, US-Number, EU-Number and masks such as xxx-xxxx)`,
    );
  });
}

/** The parts of a date that authors name in a pattern, in lowercase, with their letters. */
const NAMED_PARTS: Readonly<Record<string, string>> = {
  ...{ day: "d", month: "MMMM", year: "yyyy", weekday: "EEEE" },
};

/** Returns a pattern such as `Month yyyy` with the letters of its parts; null for a pattern that remains invalid. */
function withLetters(pattern: string): string | null {
  const hasDay = /(?<!\p{L})dd?(?!\p{L})/u.test(pattern);
  const lettered = pattern.replace(
    /(?<!\p{L})(?:day|month|year|weekday)(?!\p{L})/giu,
    (name) =>
      NAMED_PARTS[`${hasDay && /^day$/i.test(name) ? "week" : ""}${name.toLowerCase()}`] ?? name,
  );
  return lettered === pattern || checkDatePattern(lettered) !== null ? null : lettered;
}

function isPlace({ char, quoted }: PatternCharacter): boolean {
  return !quoted && (char === "x" || char === "X");
}

/** Formats a value with a mask. A value that already has the form of the mask is unchanged. */
function formatMask(value: unknown, mask: readonly PatternCharacter[]): Printed {
  const text = maskable(value);
  if (text === null) {
    return { problem: "is neither text nor a whole number, so a mask cannot show it" };
  }
  const places = mask.filter(isPlace).length;
  // A character has at most two UTF-16 units, so only this much of a long string is examined.
  const given = [...text.slice(0, 2 * mask.length + 1)];
  if (given.length !== places) {
    const isMasked =
      given.length === mask.length &&
      mask.every((next, index) => isPlace(next) || next.char === given[index]);
    if (isMasked) return { text };
    const count = given.length < places ? "fewer" : "more";
    return {
      problem: `has ${count} characters than the mask of its tag takes (${places}): it has ${given.length}, and each x of a mask takes one`,
    };
  }
  let next = 0;
  return {
    text: mask.map((character) => (isPlace(character) ? given[next++] : character.char)).join(""),
  };
}

/** Returns a string unchanged, or the digits of a non-negative integer; null for any other value. */
function maskable(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (kindOf(value) !== "number" && !isDecimal(value)) return null;
  const number = toDecimal(value);
  const digits = number === null ? "" : decimalText(number);
  return /^\d+$/.test(digits) ? digits : null;
}
