import type { Expression } from "../../../language/grammar/expression.ts";
import { written } from "../../../language/literal-conditions.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { pointerOf } from "../context/pointers.ts";

/** Matches text whose point may be between thousands, such as `1.200`. */
const THOUSANDS = /^\s*[-+]?[1-9]\d{0,2}\.\d{3}\s*$/;

/** Records a computation with text such as `1.200`, which is read as 1.2 and may mean 1200. */
export function noteTextNumber(expression: Expression, value: unknown, env: Evaluation): void {
  if (typeof value !== "string" || expression.kind !== "path" || !THOUSANDS.test(value)) return;
  const name = written(expression) ?? expression.source;
  env.doubts.push({
    code: "doubtful_computation",
    message: (tag) =>
      `The tag ${tag} computes with '${name}', which is text with a point before three digits. The point is read as the one before decimals.`,
    hint: `If it is between thousands, write ${name}.toNumber(","). If not, give a number in place of the text.`,
    pointers: [pointerOf(expression, env)],
    isMissing: false,
  });
}
