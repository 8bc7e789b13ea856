import { type Decimal, MAX_DIGITS, toDecimal } from "./decimal.ts";

/** The signs that may separate the decimals of a number in a text. */
export const DECIMAL_SIGNS = [",", "."] as const;
export type DecimalSign = (typeof DECIMAL_SIGNS)[number];

/** Matches a number whose thousands are separated by one sign or not at all, before its decimals. */
const FORMS: Readonly<Record<DecimalSign, RegExp>> = {
  ",": /^(?:\d{1,3}(?:([.'])\d{3})(?:\1\d{3})*|\d+)(?:,\d*)?$/,
  ".": /^(?:\d{1,3}(?:([,'])\d{3})(?:\1\d{3})*|\d+)(?:\.\d*)?$/,
};

/**
 * Reads a number that is text as people write it, such as `1.234,50 €` with the decimal sign `,`. Spaces, and a currency
 * sign or code at one end, are left out. A minus may be before or after the number, and parentheses mean a negative
 * number. Returns null for other text.
 */
export function parseNumber(text: string, sign: DecimalSign): Decimal | null {
  if (text.length > MAX_DIGITS) return null;
  // A space between two digits separates thousands.
  const plain = text.replace(/(?<=\d)\s(?=\d)|[’ʼ`´]/gu, "'").replace(/[\s\u200e\u200f]/gu, "");
  const [, opened, inside = ""] = /^(\(?)(.*?)\)?$/u.exec(plain) ?? [];
  if ((opened === "(") !== plain.endsWith(")")) return null;
  const bare = inside.replace(/[\u2212\u2013]/gu, "-").replace(CURRENCY, "");
  const [, before = "", digits = "", after = ""] = /^([-+]?)(.*?)(-?)$/u.exec(bare) ?? [];
  const number = digits.replace(CURRENCY, "");
  const signs = [opened, before === "+" ? "" : before, after].filter((each) => each !== "");
  if (signs.length > 1 || !FORMS[sign].test(number)) return null;
  const spelled = number.replaceAll(sign === "," ? "." : ",", "").replaceAll("'", "");
  return toDecimal(`${signs.length === 1 ? "-" : ""}${spelled.replace(",", ".")}`);
}

/** Matches a currency sign, or the code of a currency, at one end. */
const CURRENCY = /^(?:\p{Sc}|[A-Z]{3}(?![A-Z]))|(?:\p{Sc}|(?<![A-Z])[A-Z]{3})$/u;
