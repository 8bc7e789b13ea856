import type { Decimal } from "../../../format/decimal.ts";
import { decimalText, toDecimal } from "../../../format/decimal.ts";
import type { Expression } from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { pointerOf } from "../context/pointers.ts";
import { resolve, turnIn, turnNamed } from "../context/scope.ts";
import { valuesOfItems } from "./number-words.ts";

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

/**
 * Records `$running(e.hours) * e.rate` in a loop whose items have different rates: the total of all hours is multiplied
 * with the rate of one item. Does so in the first iteration for all of them.
 */
export function noteRunningProduct({ operator, left, right }: Compute, env: Evaluation): void {
  if (operator !== "*") return;
  const [total, factor] = left.kind === "call" ? [left, right] : [right, left];
  if (total.kind !== "call" || total.name !== "$running" || factor.kind !== "path") return;
  const [summed] = total.arguments;
  if (summed?.kind !== "path" || summed.head !== factor.head || factor.head === null) return;
  const turn = turnNamed(factor.head, env.scope);
  if (turn === null || turn.index !== 0 || turn !== turnIn(env.scope)) return;
  const numbers = valuesOfItems(factor, env).map(toDecimal);
  const different = new Set(
    numbers.map((number) => (number === null ? null : decimalText(number))),
  );
  if (different.size < 2) return;
  const product = {
    ...total,
    arguments: [{ kind: "compute", operator, left: summed, right: factor }],
  } as const;
  env.doubts.push({
    code: "doubtful_computation",
    message: (tag) =>
      `The tag ${tag} multiplies the total of all '${summed.rest.at(-1) ?? summed.source}' by '${factor.source}' of one item alone.`,
    hint: `For the total of the products write ${spellExpression(product)}.`,
    pointers: [],
    isMissing: false,
  });
}
