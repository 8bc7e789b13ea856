import fc from "fast-check";
import type { FormatContext } from "../../src/format/format-number.ts";

/** The usual language and time zone. */
export const US: FormatContext = { locale: "en-US", timeZone: "UTC" };

export function inLocale(locale: string): FormatContext {
  return { locale, timeZone: "UTC" };
}

export function inZone(timeZone: string): FormatContext {
  return { locale: "en-US", timeZone };
}

/** Replaces special spaces with visible characters for the expectations. */
export function visible(text: string | undefined): string | undefined {
  return text?.replaceAll("\u00a0", "⍽").replaceAll("\u202f", "⌴");
}

export const THIRTY = "123456789012345678901234567890.123456789012345678901234567891";

/** Numbers as data may give them. */
export const numbers = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 60n }), fc.nat({ max: 60 }))
  .map(([isNegative, digits, places]) => {
    const text = digits.toString().padStart(places + 1, "0");
    const at = text.length - places;
    return `${isNegative ? "-" : ""}${text.slice(0, at)}.${text.slice(at)}`;
  });
