import {
  absolute,
  type Decimal,
  decimalText,
  isRounding,
  power,
  ROUNDINGS,
  roundDecimal,
  toDecimal,
} from "../../../format/decimal.ts";
import { inWords, type WordKind } from "../../../format/words/in-words.ts";
import { NoWordsError } from "../../../format/words/spell-out.ts";
import type { FunctionName } from "../../../language/grammar/functions.ts";
import { roman } from "../../../values/roman.ts";
import { EvaluationError } from "../compare/compare.ts";
import { textIn } from "./texts.ts";

/** What a function on a number needs besides its values. */
interface NumberContext {
  readonly name: FunctionName;
  readonly locale: string;
}

type NumberFunction = (
  number: Decimal,
  given: readonly unknown[],
  context: NumberContext,
) => unknown;

/** The functions on one number. */
export const NUMBER_FUNCTIONS: Readonly<Partial<Record<FunctionName, NumberFunction>>> = {
  $round: round,
  $abs: (number) => absolute(number),
  $power: raised,
  $words: worded("words"),
  $ordinalWords: worded("ordinalWords"),
  $ordinal: worded("ordinal"),
  $roman: inRoman,
  $letter: inLetters,
};

function round(number: Decimal, [places, mode]: readonly unknown[]): Decimal {
  const decimals = places === undefined ? 0 : Number(toDecimal(places)?.toString() ?? Number.NaN);
  if (!Number.isInteger(decimals) || Math.abs(decimals) > 100) {
    const error = unfit("$round needs a whole number of decimal places from -100 to 100", 1);
    const first = decimalText(number);
    const isDigit = /^\d$/.test(first);
    if (isDigit || (decimals > 0 && decimals < 1))
      error.hintOf = (given, of) => {
        const step = given.replace(/^\((0?\.\d+)\)$/, "$1");
        return isDigit && step === given
          ? `The number comes first: write ${given}.round(${first}).`
          : `To round to steps of ${step}, write (${of} / ${step}).round() * ${step}.`;
      };
    throw error;
  }
  if (mode === undefined) return roundDecimal(number, decimals);
  if (typeof mode === "string" && isRounding(mode)) return roundDecimal(number, decimals, mode);
  throw Object.assign(
    unfit(`$round rounds ${ROUNDINGS.map((each) => `"${each}"`).join(", ")}`, 2),
    typeof mode === "string" ? roundingMeant(mode) : {},
  );
}

/** Returns the hint for the name that another language gives to a way of rounding; nothing for other texts. */
function roundingMeant(mode: string): Pick<EvaluationError, "hint"> {
  if (
    /^(?:half[-_ ]?(?:up|away(?:[-_ ]from[-_ ]zero)?)|half|commercial|nearest|normal)$/i.test(mode)
  )
    return { hint: "Without a second argument a half is rounded up, as in round(1)." };
  if (/^(?:bankers?'?|half[-_ ]?even|even)$/i.test(mode))
    return { hint: 'For a half to the even digit write "half-even".' };
  const own = ROUNDINGS.find((each) => each === mode.trim().toLowerCase());
  if (own !== undefined) return { hint: `Write "${own}".` };
  return /^ceil$/i.test(mode) ? { hint: 'Write "ceiling".' } : {};
}

/** The greatest exponent of a power, with or without a minus. */
const MAX_EXPONENT = 10_000;

function raised(number: Decimal, [exponent]: readonly unknown[]): Decimal {
  const whole = Number(toDecimal(exponent)?.toString() ?? Number.NaN);
  if (Number.isInteger(whole) && Math.abs(whole) <= MAX_EXPONENT) return power(number, whole);
  throw unfit("$power needs a whole number from -10,000 to 10,000 as the exponent", 1);
}

function unfit(message: string, argument: number): EvaluationError {
  return Object.assign(new EvaluationError(message), { argument });
}

function worded(kind: WordKind): NumberFunction {
  return (number, [given], context) => {
    const form = given === undefined ? null : textIn(given, 1, context);
    try {
      return inWords(number, { kind, form, locale: context.locale });
    } catch (cause) {
      if (!(cause instanceof NoWordsError)) throw cause;
      const error = unfit(cause.message, 0);
      if (cause.hint !== null) error.hintOf = cause.hint;
      if (form !== null && isLanguage(form, context.name))
        error.hint = languageHint(form, context.name);
      if (form !== null && (/^[A-Z]{3}$/.test(form) || UNITS.test(form))) {
        error.hint = `Numbers in words have no currency: write ${context.name.slice(1)}(), and the name of the currency next to the tag. For an amount without its cents write .round(0, "down").${context.name.slice(1)}().`;
      }
      throw error;
    }
  };
}

/** Matches names of currencies in place of a form. */
const UNITS = /^(?:euros?|cents?|dollars?|pounds?|francs?|franken|yen|rupees?)$/i;

/** Matches the code of a language, such as `de` or `en-US`, in place of a form. */
const LANGUAGE = /^[a-z]{2}(?:[-_][A-Za-z]{2,4})?$/;

/** Returns how to write the words of a number in a language. */
export function languageHint(language: string, name: FunctionName): string {
  return `For another language, write ${name.slice(1)}() :: locale("${language.replace("_", "-")}").`;
}

/** Whether an argument of a function on numbers in words is the code of a language instead of a form. */
export function isLanguage(text: string, name: FunctionName): boolean {
  return LANGUAGE.test(text) && /^\$(?:words|ordinal)/.test(name);
}

function inRoman(number: Decimal): string {
  const text = decimalText(number);
  if (/^[1-9]\d{0,3}$/.test(text) && Number(text) < 4000) return roman(Number(text)).toUpperCase();
  throw outside("only whole numbers from 1 to 3999 have Roman numerals", text, "roman");
}

/** Returns the error for a number that a function cannot write. Positions in a loop may begin with 0. */
function outside(message: string, number: string, method: string): EvaluationError {
  const error = unfit(message, 0);
  if (number !== "0") return error;
  error.hintOf = (value) =>
    /(?:^|\.)\$index$/.test(value)
      ? `$index counts from 0: write ${value.replace("$index", "$number")}.${method}().`
      : `The first one is 1: if '${value}' counts from 0, write (${value} + 1).${method}().`;
  return error;
}

/** The greatest number that is written in letters. */
const MAX_LETTERS = 1_000_000;

/** Returns the letters that count as in spreadsheets: A to Z, then AA, AB and so on. */
function inLetters(number: Decimal): string {
  const text = decimalText(number);
  let rest = /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 0;
  if (rest === 0 || rest > MAX_LETTERS) {
    throw outside("only whole numbers from 1 to 1,000,000 have letters", text, "letter");
  }
  let letters = "";
  for (; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}
