import { isoText } from "../../../format/date-arithmetic.ts";
import { type Decimal, toDecimal } from "../../../format/decimal.ts";
import { formatDate } from "../../../format/format-date.ts";
import { parseDate } from "../../../format/parse-date.ts";
import { DECIMAL_SIGNS, type DecimalSign, parseNumber } from "../../../format/parse-number.ts";
import { PatternError } from "../../../format/pattern-text.ts";
import { readDate } from "../../../format/read-date.ts";
import { patternOfDate, signOfNumber } from "../../../format/text-forms.ts";
import type { FunctionName } from "../../../language/grammar/functions.ts";
import { EvaluationError } from "../compare/compare.ts";
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
    hint: hintForDate(text, pattern, context),
  });
}

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
): string {
  if (!("problem" in readDate(text, null, timeZone))) {
    return "This text needs no toDate: it is read as a date as it is.";
  }
  const meant = patternOfDate(text, locale);
  if (meant !== null && meant !== pattern) {
    return `Write the pattern in the form of the data, such as toDate("${meant}").`;
  }
  const example = formatDate("2026-11-20T15:30", pattern, { locale, timeZone });
  return "text" in example && typeof example.text === "string"
    ? `Text of this form is, for example, ${example.text}. Month names are in the language of the document; for one tag, write :: locale("en").`
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
    { argument: 0, hint: hintForNumber(text, sign) },
  );
}

function hintForNumber(text: string, sign: DecimalSign): string {
  const meant = signOfNumber(text);
  if (meant !== null && meant !== sign) return `Write toNumber("${meant}").`;
  if (text.trim() === "") {
    return 'The text is empty. Write what counts in its place, as in $if(price, price.toNumber(","), 0).';
  }
  return /%\s*$/.test(text)
    ? 'Remove the sign first: rate.replace("%", "").toNumber(",").'
    : 'Remove other letters first, as in weight.replace("kg", "").toNumber(",").';
}
