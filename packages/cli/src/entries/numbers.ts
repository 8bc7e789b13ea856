import { losesDigits } from "@quire/core";
import { AMBIGUOUS, type TextReader } from "./cell.ts";

/** Longer text is not read as a number. Templates have the same limit. */
const MAX_LENGTH = 400;

/** A number in the form that templates accept in a string. */
const PLAIN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,4})?$/i;

/** Matches `1.234`, which means 1234 in languages that group digits with dots, and a decimal in others. */
const GROUPED_OR_NOT = /^[+-]?[1-9]\d{0,2}(?:\.\d{3})$/;

/**
 * Reads a number with a decimal point and without groups. Its spelling does not change. `1.234` is ambiguous, even if
 * commas separate the cells: LibreOffice and Google Sheets use commas even for languages whose dot groups digits.
 */
export const plainNumber: TextReader = (text) => {
  if (text.length > MAX_LENGTH || !PLAIN.test(text.trim())) return null;
  return GROUPED_OR_NOT.test(text.trim()) ? AMBIGUOUS : text;
};

/** `-1 234,50 €`: a sign, a currency before or after, digits with separators. */
const AMOUNT = /^([-+]?) ?(?:\p{Sc} ?)?([-+]?)([\d.,' ]*\d[.,]?)(?: ?\p{Sc})?$/u;

/**
 * Reads numbers as a locale writes them: with its decimal separator, and with digits in groups of three (in India also
 * of two) or without groups. Spaces and apostrophes separate groups in every locale. A currency sign may come before or
 * after. Returns plain decimals.
 */
export function localNumber(locale: string): TextReader {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: "latn" }).formatToParts(
    123_456_789.5,
  );
  const sign = (type: string): string => parts.find((part) => part.type === type)?.value ?? "";
  const isIndian = parts.filter(({ type }) => type === "integer")[1]?.value.length === 2;
  const groups = new Set([sign("group").replace(/\s/g, " "), " ", "'"]);
  return (text) => {
    if (text.length > MAX_LENGTH) return null;
    const amount = AMOUNT.exec(
      text.trim().replace(/\s/g, " ").replaceAll("’", "'").replace("−", "-"),
    );
    const [, before = "", behind = "", body = ""] = amount ?? [];
    const [whole = "", fraction, ...others] = body.split(sign("decimal"));
    const digits = ungrouped(whole, { groups, isIndian });
    if (amount === null || others.length > 0 || (before !== "" && behind !== "")) return null;
    if (digits === null || (fraction !== undefined && !/^\d*$/.test(fraction))) return null;
    const minus = before === "-" || behind === "-" ? "-" : "";
    return `${minus}${digits}${fraction ? `.${fraction}` : ""}`;
  };
}

function ungrouped(
  whole: string,
  { groups, isIndian }: { readonly groups: ReadonlySet<string>; readonly isIndian: boolean },
): string | null {
  const [first = "", ...others] = whole.split(/\D/);
  const signs = new Set(whole.replace(/\d/g, ""));
  const [sign] = signs;
  if (sign === undefined) return first;
  const middle = others.slice(0, -1).map(({ length }) => length);
  const isGrouped =
    others.at(-1)?.length === 3 &&
    (middle.every((length) => length === 3) ||
      (isIndian && middle.every((length) => length === 2)));
  // The digits of 0.234 cannot be grouped, so this is the decimal separator of another language.
  const isFirst = /^[1-9]\d{0,2}$/.test(first);
  return signs.size === 1 && groups.has(sign) && isGrouped && isFirst
    ? whole.replace(/\D/g, "")
    : null;
}

/**
 * Converts text such as `1.234` to a number, because templates warn that such text may mean 1234. The locale of the file
 * has already settled its meaning.
 */
export function clearNumber(plain: string): number | string {
  return GROUPED_OR_NOT.test(plain) ? Number(plain) : plain;
}

/** Converts a plain decimal to a number, or to a string of the same digits if a number would lose some of them. */
export function asNumber(plain: string): number | string {
  const text = plain.trim();
  return losesDigits(text.replace(/^\+/, "")) ? text : Number(text);
}
