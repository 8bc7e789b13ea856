import { decimalText, toDecimal } from "../../../format/decimal.ts";
import type { FunctionName } from "../../../language/grammar/functions.ts";
import { EvaluationError, withArticle } from "../compare/compare.ts";

/** Maximum length of a number in a message. */
const MAX_SHOWN = 20;

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
  const got = number === null || text.length > MAX_SHOWN ? withArticle(value) : text;
  const error = new EvaluationError(`${name} needs ${needed}, but got ${got}`);
  if (typeof value === "string" && /^\D*\d+\D*$/.test(value))
    error.hint = "Give the number alone, such as 30, without other text.";
  throw Object.assign(error, { argument });
}
