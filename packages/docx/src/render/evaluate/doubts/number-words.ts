import { isDecimal, toDecimal } from "../../../format/decimal.ts";
import type { Expression, PathExpression } from "../../../language/grammar/expression.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { pointerOf } from "../context/pointers.ts";
import { holderOf, step, turnNamed } from "../context/scope.ts";

/** Number of items of a list whose values are compared. */
const MAX_ITEMS = 500;

/**
 * Records a comparison of a number with a word in the tag: `total == "open"`. The values of some keys are numbers or
 * text: the block then prints the value, the tag names it again, or other items have text.
 */
export function noteNumberWord(
  { operator, left, right }: Extract<Expression, { kind: "compare" }>,
  one: unknown,
  other: unknown,
  env: Evaluation,
): void {
  if (operator !== "==" && operator !== "!=") return;
  const [side, value, word] = isWord(right) ? [left, one, right] : [right, other, left];
  if (!isWord(word) || side.kind !== "path" || !isNumber(value)) return;
  // In the arguments of a function, another item may have text.
  if (env.scope?.siblings !== undefined || mayBeText(side, env)) return;
  const { source } = side;
  env.doubts.push({
    code: "doubtful_comparison",
    message: (tag) =>
      `The tag ${tag} compares a number with text that is not a number: they are never equal.`,
    hint: `'${source}' is a number: compare it with a number, as in ${source} ${operator} 1, or write the name of the value that has this text.`,
    pointers: [pointerOf(side, env)],
    isMissing: false,
    truthOf: source,
    unlessAgain: source,
  });
}

function isWord(expression: Expression): boolean {
  if (expression.kind !== "literal" || typeof expression.value !== "string") return false;
  return /\p{L}/u.test(expression.value) && toDecimal(expression.value) === null;
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || typeof value === "bigint" || isDecimal(value);
}

/** Whether other items of a loop have text for the key. */
function mayBeText(path: PathExpression, env: Evaluation): boolean {
  return valuesOfItems(path, env).some((value) => typeof value === "string");
}

/** Returns the values that the items of a loop, or of a function's list, have for the key of a path. */
export function valuesOfItems(path: PathExpression, env: Evaluation): readonly unknown[] {
  const { head, rest } = path;
  const named = head === null ? env.scope : turnNamed(head, env.scope);
  const turn = named ?? holderOf(path, env.scope);
  const [key, ...more] = named === null && head !== null ? [head, ...rest] : rest;
  if (!turn || turn.items === null || key === undefined || more.length > 0) return [];
  const items = turn.items.slice(0, MAX_ITEMS);
  env.spend(items.length);
  return items.map((item) => (Array.isArray(item) ? undefined : step(item, key, env)));
}
