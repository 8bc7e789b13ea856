import { decimalText, toDecimal } from "../../../format/decimal.ts";
import type { FunctionName } from "../../../language/grammar/functions.ts";
import { withoutUnit } from "../../../language/mistakes/number-texts.ts";
import { EvaluationError, withArticle } from "../compare/compare.ts";

/** Returns the whole number in an argument. Throws {@link EvaluationError}, with `needed` in its message. */
export function wholeNumberIn(
  value: unknown,
  {
    name,
    argument,
    least,
    needed,
  }: {
    readonly name: FunctionName;
    readonly argument: number;
    readonly least: number;
    readonly needed: string;
  },
): number {
  const number = toDecimal(value);
  const text = number === null ? "" : decimalText(number);
  const whole = number === null ? Number.NaN : Number(text);
  if (Number.isSafeInteger(whole) && whole >= least) return whole;
  const got = number === null ? withArticle(value) : kindOfNumber(text, whole);
  const error = new EvaluationError(`${name} needs ${needed}, but got ${got}`);
  if (typeof value === "string" && /^\D*\d+\D*$/.test(value)) {
    error.hintOf = (written) => {
      const [, count, unit = ""] = /^"(-?\d+)\s*(week|month|year)s?"$/.exec(written) ?? [];
      if (count !== undefined)
        return `Write add${unit.charAt(0).toUpperCase()}${unit.slice(1)}s(${count}).`;
      const number = withoutUnit(value, written);
      return `Give the number alone, such as 30, without other text${number === null ? "" : `, or write ${number} in place of ${written}`}.`;
    };
  }
  if (typeof value === "string" && /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(value)) {
    error.hintOf = (written) =>
      written === `"${value}"`
        ? `For a value of the data write its name without quotes: ${value}.`
        : "Put a whole number into the data in its place, such as 30.";
  }
  throw Object.assign(error, { argument });
}

/** Returns what a number is that is not allowed. The number itself may be a value of the data: no message shows it. */
function kindOfNumber(text: string, number: number): string {
  if (text.includes(".")) return "a number with decimals";
  if (!Number.isSafeInteger(number)) return "a number that is too large";
  return number < 0 ? "a negative number" : "a smaller number";
}

/** Returns the number of items of `$limit` and `$skip`. Throws {@link EvaluationError}. */
export function itemCountIn(value: unknown, name: FunctionName): number {
  try {
    return wholeNumberIn(value, { name, argument: 1, least: 0, needed: "a whole number of items" });
  } catch (error) {
    if (error instanceof EvaluationError) {
      error.hintOf ??= (written, list) => hintForCount(value, written, list, name.slice(1));
    }
    throw error;
  }
}

/** `written` and `list`: the number and the list, as the tag names them. */
function hintForCount(value: unknown, written: string, list: string, method: string): string {
  const number = toDecimal(value);
  if (number === null) return "Put a whole number into the data in its place, such as 3.";
  if (!/^-?\d+$/.test(decimalText(number)))
    return `Round it: write ${list}.${method}(${written}.round()).`;
  const end = method === "limit" ? "For the last items" : "To leave out the last items";
  return `${end} write ${list}.reverse().${method}(${written}.abs()).reverse().`;
}
