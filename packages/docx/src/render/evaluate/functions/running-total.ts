import { add, type Decimal, toDecimal } from "../../../format/decimal.ts";
import type { CallExpression } from "../../../language/grammar/expression.ts";
import { numberMeant } from "../../../language/mistakes/number-texts.ts";
import { EvaluationError, withArticle } from "../compare/compare.ts";
import type { Evaluation, Evaluator } from "../context/evaluation.ts";
import { placed } from "../context/placed.ts";
import { hasOwn, turnIn } from "../context/scope.ts";
import { noteSameForAll } from "./item-use.ts";

/**
 * Returns the sum of a value over the items of the innermost loop, from the first one to the current one. It does not
 * depend on which items print it.
 */
export function runningTotal(call: CallExpression, env: Evaluation, by: Evaluator): unknown {
  const turn = turnIn(env.scope);
  if (turn === null || turn.items === null || turn.index === null) return undefined;
  const { items, index } = turn;
  // While a function evaluates an argument, the name of the loop's item refers to the same item.
  const named = turn.outer?.items === items && turn.outer.alias !== null ? turn.outer : null;
  const outer = named === null ? turn.outer : named.outer;
  let at = env.totals.get(call);
  if (at?.items !== items || at.outer !== outer) {
    at = { items, outer, sums: [] };
    env.totals.set(call, at);
  }
  const { sums } = at;
  const [expression] = call.arguments;
  if (sums.length === 0 && expression !== undefined) {
    noteSameForAll(expression, turn, "$running", env);
  }
  while (sums.length <= index) {
    const before = sums.at(-1);
    const at = { item: items[sums.length], index: sums.length };
    const scope = { ...turn, ...at, outer: named === null ? outer : { ...named, ...at } };
    const own = valueAt(call, { ...env, scope }, by);
    sums.push(before === undefined ? own : add(before, own));
  }
  return sums[index];
}

function valueAt(call: CallExpression, inner: Evaluation, by: Evaluator): Decimal {
  const [expression] = call.arguments;
  inner.spend(1);
  const value = expression === undefined ? undefined : by.evaluate(expression, inner);
  const number = toDecimal(value);
  if (number !== null) return number;
  const what = value === undefined ? "an item has no value" : `it got ${withArticle(value)}`;
  const error = new EvaluationError(`$running needs a number for each item, but ${what}`);
  const { scope } = inner;
  const key = expression?.kind === "path" && expression.rest.length === 0 ? expression.head : null;
  const isOfItem =
    key !== null && scope !== null && scope.alias !== null && hasOwn(scope.item, key);
  const last = expression?.kind === "path" ? expression.rest.at(-1) : undefined;
  error.hint =
    Array.isArray(value) && last !== undefined && hasOwn(scope?.item, last)
      ? `Name the item of the loop in place of the list: $running(${scope?.alias == null ? "" : `${scope.alias}.`}${last}).`
      : isOfItem
        ? `Write the name of the item before its key: $running(${scope.alias}.${key}).`
        : typeof value === "string"
          ? numberMeant(value, expression?.kind === "path" ? expression.source : null)
          : "Give each item the value, or write what counts in its place, as in (price ?? 0).";
  throw placed(error, call, inner);
}
