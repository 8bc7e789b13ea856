import type { Decimal } from "../../../format/decimal.ts";
import { toDecimal } from "../../../format/decimal.ts";
import type { Expression } from "../../../language/grammar/expression.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { pointerOf } from "../context/pointers.ts";
import { resolve } from "../context/scope.ts";

type Compute = Extract<Expression, { kind: "compute" }>;

/** Names of rates and percentages. */
const RATE =
  /vat|tax|mwst|ust$|tva|iva|btw|rate|percent|prozent|discount|rabatt|remise|skonto|zins|interest|margin|markup/i;

/** Records `price * (1 - discount)` with a discount such as 10, which is probably a percentage. */
export function noteRate({ operator, left, right }: Compute, env: Evaluation): void {
  if (operator !== "*" && operator !== "/") return;
  const factor = isFactor(right) ? right : isFactor(left) ? left : null;
  if (factor === null) return;
  const { right: rate } = factor;
  if (rate.kind !== "path" || !RATE.test(rate.rest.at(-1) ?? rate.head ?? "")) return;
  const value: Decimal | null = toDecimal(resolve(rate, env));
  if (value === null || value.abs().lt("2")) return;
  const { source } = rate;
  env.doubts.push({
    code: "doubtful_computation",
    message: (tag) =>
      `The tag ${tag} computes 1 ${factor.operator} ${source}, although '${source}' is greater than 1.`,
    hint: `If 19 means 19%, write (1 ${factor.operator} ${source} / 100).`,
    pointers: [pointerOf(rate, env)],
    isMissing: false,
  });
}

/** Whether an expression is `1 + vat` or `1 - discount`. */
function isFactor(expression: Expression): expression is Compute {
  return (
    expression.kind === "compute" &&
    (expression.operator === "+" || expression.operator === "-") &&
    expression.left.kind === "number" &&
    expression.left.text === "1" &&
    expression.right.kind === "path"
  );
}
