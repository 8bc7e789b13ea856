import { isoText } from "../../../format/date-arithmetic.ts";
import { type Decimal, toDecimal } from "../../../format/decimal.ts";
import { formatDate } from "../../../format/format-date.ts";
import { parseDate } from "../../../format/parse-date.ts";
import { DECIMAL_SIGNS, type DecimalSign, parseNumber } from "../../../format/parse-number.ts";
import { PatternError } from "../../../format/pattern-text.ts";
import { readDate } from "../../../format/read-date.ts";
import { patternOfDate, signOfNumber } from "../../../format/text-forms.ts";
import type { FunctionName } from "../../../language/grammar/functions.ts";
import { withoutUnit } from "../../../language/mistakes/number-texts.ts";
import { severalForms } from "../../../values/arguments/date-forms.ts";
import { EvaluationError } from "../compare/compare.ts";
import { hintForSerialDate, isSerialDate } from "./dates.ts";
import { textIn } from "./texts.ts";

/** Reads a date that is text in the form of a pattern. Returns it in ISO 8601. Throws {@link EvaluationError}. */
export function toDate(
  value: unknown,
  given: unknown,
  context: { readonly locale: string; readonly timeZone: string },
): unknown {
  if (value instanceof Date) return value;
  const name: FunctionName = "$toDate";
  const [text, pattern] = [textIn(value, 0, { name }), textIn(given, 1, { name })];
  const date = read(() => parseDate(text, pattern, context));
  if (!("problem" in date)) return isoText(date);
  throw Object.assign(new EvaluationError(`${name} got text that ${date.problem}: "${pattern}"`), {
    argument: 0,
    hintOf: (written: string) =>
      text === ""
        ? `The text is empty. Test it before the whole computation, as in $if(${written}, ${written}.toDate("${pattern}"), "").`
        : isSerialDate(text)
          ? hintForSerialDate(written, `${written}.toDate("${pattern}")`)
          : hintForDate(text, pattern, context, written),
  });
}

/** Modifiers such as `locale` are not possible in the tags of blocks. */
const IN_ENGLISH = 'end a tag that prints a value with :: locale("en")';

/** A hint about text with an English month in a document of another language. */
export const ENGLISH_MONTH = `Its month is in English: ${IN_ENGLISH}. Tags such as 'if' and 'for' need the date as 2026-11-20 in the data.`;

function read<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw Object.assign(new EvaluationError(`the pattern of $toDate ${error.message}`), {
      argument: 1,
    });
  }
}

function hintForDate(
  text: string,
  pattern: string,
  { locale, timeZone }: { readonly locale: string; readonly timeZone: string },
  written: string,
): string {
  if (!("problem" in readDate(text, null, timeZone))) {
    return `This text needs no toDate: it is read as a date as it is. To print it in this form write ${written} :: format("${pattern}").${severalForms(written, pattern, { text, meant: null })}`;
  }
  const own = patternOfDate(text, locale);
  const meant = own ?? patternOfDate(text, "en-US");
  const inEnglish = own === null && meant !== null;
  if (meant !== null && meant !== pattern) {
    return `Write the pattern in the form of the data, such as toDate("${meant}").${inEnglish ? ` ${ENGLISH_MONTH}` : severalForms(written, pattern, { text, meant })}`;
  }
  const example = formatDate("2026-11-20T15:30", pattern, { locale, timeZone });
  return "text" in example && typeof example.text === "string"
    ? `Text of this form is, for example, ${example.text}.${/[EL]|MMM/.test(pattern) ? ` Names of months and days are in the language of the document: for English ones, ${IN_ENGLISH}.` : ""}`
    : "Write the pattern in the form of the data.";
}

/** Parses text with the given decimal sign as a number. Returns a number unchanged. Throws {@link EvaluationError}. */
export function toNumber(value: unknown, given: unknown): Decimal | unknown {
  if (typeof value !== "string" && toDecimal(value) !== null) return value;
  const name: FunctionName = "$toNumber";
  const text = textIn(value, 0, { name });
  const sign = DECIMAL_SIGNS.find((each) => each === given);
  if (sign === undefined) {
    throw Object.assign(new EvaluationError(`${name} needs the decimal sign, "," or "."`), {
      argument: 1,
    });
  }
  const number = parseNumber(text, sign);
  if (number !== null) return number;
  throw Object.assign(
    new EvaluationError(`${name} got text that is not a number with the decimal sign "${sign}"`),
    { argument: 0, hintOf: (written: string) => hintForNumber(text, sign, written) },
  );
}

/** `written`: the text, as the tag names it. */
function hintForNumber(text: string, sign: DecimalSign, written: string): string {
  const meant = signOfNumber(text);
  if (meant !== null && meant !== sign) return `Write ${written}.toNumber("${meant}").`;
  const call = `${written}.toNumber("${sign}")`;
  if (text.trim() === "") {
    return `The text is empty. Write what counts in its place, as in $if(${written}.trim() == "", 0, ${call}).`;
  }
  const [, between] = /^\s*\d+(?:[.,]\d+)?(\s*[-\u2013]\s*)\d+(?:[.,]\d+)?\s*$/.exec(text) ?? [];
  if (between !== undefined) {
    const first = `${written}.split("${between.trim()}").first().toNumber("${sign}")`;
    return `The text has two numbers. For the first one write ${first}, and for the last one .last() in place of .first().`;
  }
  if (!/\d/.test(text)) {
    const word = /^[\p{L} ./-]{1,20}$/u.test(text) ? text : "n/a";
    return `For a text that means no number, write what counts in its place, as in $if(${written} == "${word}", 0, ${call}).`;
  }
  const alone = withoutUnit(text, written)?.replace(/\.toNumber\(.*$/, "") ?? null;
  if (alone === null) {
    return `Remove the other letters first, as in ${written}.replace("kg", "").toNumber("${sign}").`;
  }
  const number = text.replace(/^[^\d+-]+|\D+$/g, "");
  const right = parseNumber(number, sign) === null ? (signOfNumber(number) ?? sign) : sign;
  return `Remove the other letters first: ${alone}.toNumber("${right}").`;
}
