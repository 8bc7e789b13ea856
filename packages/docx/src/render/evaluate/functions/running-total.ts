import { add, type Decimal, toDecimal } from "../../../format/decimal.ts";
import type {
  CallExpression,
  Expression,
  PathExpression,
} from "../../../language/grammar/expression.ts";
import { numberMeant } from "../../../language/mistakes/number-texts.ts";
import { EvaluationError, withArticle } from "../compare/compare.ts";
import type { Evaluation, Evaluator } from "../context/evaluation.ts";
import { Group } from "../context/origins.ts";
import { placed } from "../context/placed.ts";
import { hasOwn, turnIn } from "../context/scope.ts";
import { noteHoursOfItem } from "../doubts/whole-hours.ts";
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
    const inner = { ...env, scope };
    const own = valueAt(call, inner, by);
    if (expression !== undefined)
      noteHoursOfItem(call, expression, (each) => by.evaluate(each, inner), inner);
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
  error.hint = hintForTotal(expression, value, inner);
  throw placed(error, call, inner);
}

/** Returns the hint for a value that is not a number. */
function hintForTotal(
  expression: Expression | undefined,
  value: unknown,
  { scope }: Evaluation,
): string {
  const path = expression?.kind === "path" ? expression : null;
  const last = path?.rest.at(-1);
  const item = scope === null || scope.alias === null ? "" : `${scope.alias}.`;
  if (Array.isArray(value) && last !== undefined && hasOwn(scope?.item, last))
    return `Name the item of the loop in place of the list: $running(${item}${last}).`;
  if (Array.isArray(value) && path !== null) {
    const sum = sumIn(path, value);
    if (sum !== null) return `For the sum of the list of each item write $running(${sum}).`;
  }
  if (typeof value === "boolean" && path !== null)
    return `To count the items for which it is true, write $running($if(${path.source}, 1, 0)).`;
  const key = path?.rest.length === 0 ? path.head : null;
  if (key !== null && item !== "" && hasOwn(scope?.item, key))
    return `Write the name of the item before its key: $running(${item}${key}).`;
  if (typeof value === "string") return numberMeant(value, path?.source ?? null);
  return scope?.item instanceof Group
    ? `A group has a 'key' and 'items': write $running(${item}items.sum(${last ?? key ?? "amount"})).`
    : "Give each item the value, or write what counts in its place, as in (price ?? 0).";
}

/** Returns the sum of the numbers in a list: `o.lines.sum(units)` for `o.lines.units`; null for other lists. */
function sumIn({ source, rest }: PathExpression, list: readonly unknown[]): string | null {
  if (!list.every((each) => toDecimal(each) !== null)) return null;
  const [, of, key] = /^(.+)\.([\p{L}_][\p{L}\p{N}_]*)$/u.exec(source) ?? [];
  return of === undefined || rest.length < 2 ? `${source}.sum()` : `${of}.sum(${key})`;
}
