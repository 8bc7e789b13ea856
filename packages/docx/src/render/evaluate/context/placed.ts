import { DecimalRangeError, DivisionByZeroError } from "../../../format/decimal.ts";
import type { Expression } from "../../../language/grammar/expression.ts";
import { EvaluationError } from "../compare/compare.ts";
import { placeOf } from "./pointers.ts";
import type { Environment } from "./scope.ts";

/**
 * Returns the error to throw for an error in an expression: an {@link EvaluationError} with the place of the value.
 * Also converts the errors for division by zero and for numbers with too many digits.
 */
export function placed(error: unknown, expression: Expression, env: Environment): unknown {
  const isTooMuch = error instanceof DivisionByZeroError || error instanceof DecimalRangeError;
  const why = isTooMuch ? new EvaluationError(error.message, { cause: error }) : error;
  if (!(why instanceof EvaluationError) || why.pointer !== undefined) return why;
  const { argument = 0, element } = why;
  const wrong = expression.kind === "call" ? expression.arguments[argument] : expression;
  const place = placeOf(wrong ?? expression, env, element);
  if (place !== undefined) why.pointer = place;
  return why;
}
