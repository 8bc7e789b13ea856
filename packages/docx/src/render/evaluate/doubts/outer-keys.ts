import { kindOf } from "../../../format/print.ts";
import {
  type Expression,
  type PathExpression,
  pathsOf,
} from "../../../language/grammar/expression.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { pointerOf } from "../context/pointers.ts";
import { hasOwn, holderOf, type Scope, turnNamed } from "../context/scope.ts";

/** Number of items of a loop whose values are compared. */
const MAX_ITEMS = 500;

/**
 * Records a name in the argument of a function that is a value of the data outside all loops, although the items of a
 * loop around the tag have other values of that name: `results.count(home == name)` in `{{for t in teams}}`. `item`:
 * the scope of an item. `name`: the function as written.
 */
export function noteOuterKeys(
  expression: Expression,
  item: Scope,
  name: string,
  env: Evaluation,
): void {
  if (env.scope === null) return;
  for (const path of pathsOf(expression)) {
    const { head, source } = path;
    if (head === null || !isOfData(path, item, env)) continue;
    const turn = turnWith(head, env);
    if (turn === null) continue;
    const loop = env.opened?.get(turn.alias ?? "") ?? "the loop";
    env.doubts.push({
      code: "same_for_all_items",
      message: (tag) =>
        `In the tag ${tag}, '${name}' uses '${source}' from outside the loop, although each item of ${loop} has its own '${head}'.`,
      hint: `For the item of the loop write ${turn.alias}.${source}.`,
      pointers: [pointerOf(path, { ...env, scope: null })],
      isMissing: false,
      unlessNamed: head,
    });
    return;
  }
}

/** Whether a path in the argument of a function begins at the data, for each item of the list. */
function isOfData(path: PathExpression, item: Scope, { data }: Evaluation): boolean {
  const { head } = path;
  if (head === null || !hasOwn(data, head) || turnNamed(head, item) !== null) return false;
  return holderOf(path, item) === null && item.siblings?.(path) !== true;
}

/** Returns the iteration of a loop whose items have other values of the same kind for a key of the data. */
function turnWith(key: string, { scope, data, spend }: Evaluation): Scope | null {
  const value = data[key];
  for (let turn = scope; turn !== null; turn = turn.outer) {
    if (!turn.alias || turn.items === null || !hasOwn(turn.item, key)) continue;
    if (kindOf(turn.item[key]) !== kindOf(value)) continue;
    const items = turn.items.slice(0, MAX_ITEMS);
    spend(items.length / 4);
    if (items.some((each) => hasOwn(each, key) && each[key] !== value)) return turn;
  }
  return null;
}
