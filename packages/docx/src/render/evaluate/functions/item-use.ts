import { kindOf } from "../../../format/print.ts";
import { type Wording, withTags } from "../../../language/delimiters/wording.ts";
import type { Expression, PathExpression } from "../../../language/grammar/expression.ts";
import {
  hasPlace,
  itemArgumentsOf,
  loopsAskedBy,
  operandsOf,
  pathsOf,
  spellKey,
} from "../../../language/grammar/expression.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { Group } from "../context/origins.ts";
import { hasOwn, holderOf, resolve, type Scope, turnNamed } from "../context/scope.ts";

/**
 * Records that an expression that is evaluated for each item uses nothing of the items, although it names other values
 * of the data: `items.sum(total)` adds the same number for each item. `item`: the scope of an item. `name`: the
 * function as written.
 */
export function noteSameForAll(
  expression: Expression,
  item: Scope,
  name: string,
  env: Evaluation,
): void {
  const paths = pathsOf(expression);
  const [first] = paths;
  if (first === undefined || paths.some((path) => isOfItem(path, item, env))) return;
  // In a loop, only its name begins the paths of its items.
  const isNamed = name === "$running" && item.alias !== null;
  if (innerPathsOf(expression).some((path) => mayBeOfItem(path, item, isNamed))) return;
  if (loopsAskedBy(expression).some((of) => of === null || isItem(turnNamed(of, item), item)))
    return;
  // A constant that is added up: $running(rent).
  const isConstant = name === "$running" && expression.kind === "path";
  if (isConstant && !hasOwn(item.item, expression.head ?? "")) return;
  // A value is repeated: $range(stars).map(symbol).
  if (name === "map" && kindOf(item.item) !== "object") return;
  const { source } = item.path;
  const list = hasPlace(item.path) ? `the items of '${source}'` : "the items of the list";
  const isOfList = first.source.startsWith(`${source}.`);
  env.doubts.push({
    code: "same_for_all_items",
    message: (tag) =>
      `In the tag ${tag}, '${name}' uses nothing of ${list}: '${first.source}' is the same for all of them.`,
    hint:
      item.item instanceof Group
        ? hintForGroups(name, first.source, item.item)
        : isOfList
          ? `In the parentheses, a name is a key of the items: write ${first.source.slice(source.length + 1)} in place of ${first.source}.`
          : (keyNamedBy(first, name, item, env) ??
            ofLoopItem(first, name, item, env) ??
            ofRunning(first, name, item, env) ??
            "Name a key of the items in the parentheses. To show a list only sometimes, put it into a block with 'if'."),
    pointers: [],
    isMissing: false,
  });
}

/** `items.sort(order_by)`, where `order_by` is the name of a key of the items. */
function keyNamedBy(
  path: PathExpression,
  name: string,
  { item }: Scope,
  env: Evaluation,
): string | null {
  const key = resolve(path, env);
  return typeof key === "string" && hasOwn(item, key)
    ? `For the key that ${path.source} names write ${name}(this[${path.source}]).`
    : null;
}

/** `$running(total)` and `$running(g.items.sum(total))` in the loop over the items `p` of a group `g`. */
function ofRunning(
  { head, rest }: PathExpression,
  name: string,
  { alias, item, items }: Scope,
  env: Evaluation,
): Wording | null {
  if (name !== "$running" || head === null) return null;
  if (alias !== null && rest.length === 0 && hasOwn(item, head))
    return `Did you mean $running(${alias}.${head})?`;
  const turn = turnNamed(head, env.scope);
  return turn === null || turn.items === items
    ? null
    : withTags`'$running' adds over the innermost loop. For the sum up to an item of the outer loop, write the tag outside the inner loop: directly in ${env.opened?.get(head) ?? "the outer loop"}.`;
}

/** `items.sum(i.amount)` in a loop over `items`, in which `i` is one item. */
function ofLoopItem(
  { head, rest }: PathExpression,
  name: string,
  { items, path, item }: Scope,
  env: Evaluation,
): string | null {
  const turn = head === null ? null : turnNamed(head, env.scope);
  const [key] = rest;
  if (turn === null || key === undefined || !hasOwn(item, key)) return null;
  if (turn.items !== items && turn.path.source !== path.source) return null;
  const keys = rest.map(spellKey).join("").replace(/^\./, "");
  return `'${head}' is the one item of the loop here. For all items write ${path.source}.${name}(${keys}).`;
}

function hintForGroups(name: string, key: string, group: Group): Wording {
  const [example] = group.items;
  if (name === "sort" && hasOwn(example, key) && example[key] === group.key)
    return "The value that the items of a group have in common is its 'key': write sort(key).";
  if (name === "$running")
    return withTags`For the sum up to a group, name the group: {{$running(g.items.sum(amount))}} in {{for g in items.group(city)}}.`;
  if (name !== "where" && name !== "sort")
    return withTags`To compute for each group, repeat the groups, {{for g in items.group(city)}}, and write {{g.items.${name}(${key})}}.`;
  const order = name === "where" ? " > 100" : " desc";
  return `A group has a 'key' and 'items': compute with its items, as in ${name}(items.sum(${key})${order}).`;
}

/** Whether a path begins at the item, or would begin there if the item had its key as others do. */
function isOfItem(path: PathExpression, item: Scope, env: Evaluation): boolean {
  const { head } = path;
  if (head === null) return true;
  const named = turnNamed(head, item);
  if (named !== null) return isItem(named, item);
  if (holderOf(path, item) === item || item.siblings?.(path) === true) return true;
  // A missing value is reported elsewhere.
  return resolve(path, { ...env, scope: item }) === undefined;
}

/** Returns the paths in arguments of functions within an expression, which are evaluated for items of other lists. */
function innerPathsOf(expression: Expression): PathExpression[] {
  const items = expression.kind === "call" ? itemArgumentsOf(expression) : [];
  return [
    ...operandsOf(expression).flatMap(innerPathsOf),
    ...items.flatMap((each) => [...pathsOf(each), ...innerPathsOf(each)]),
  ];
}

/** Whether a path may begin at the item: `products.first(id == item_id)` may look for a key of the item. */
function mayBeOfItem(path: PathExpression, item: Scope, isNamed: boolean): boolean {
  if (path.head === null) return false;
  const named = turnNamed(path.head, item);
  if (named !== null || isNamed) return isItem(named, item);
  return hasOwn(item.item, path.head) || item.siblings?.(path) === true;
}

/**
 * Whether an iteration is the one of the item: a function may give the items a name. A loop over the same list has
 * another path.
 */
function isItem(turn: Scope | null, item: Scope): boolean {
  return turn !== null && turn.path === item.path && turn.index === item.index;
}

/**
 * Records a comparison of two keys of the same item, if a loop around the tag has items with one of the keys:
 * `orders.where(customer == id)` in `{{for c in customers}}`.
 */
export function noteOwnKeys(expression: Expression, item: Scope, env: Evaluation): void {
  if (expression.kind !== "compare" || expression.operator !== "==") return;
  const { left, right } = expression;
  if (left.kind !== "path" || right.kind !== "path") return;
  if (holderOf(left, item) !== item || holderOf(right, item) !== item) return;
  for (let turn = env.scope; turn !== null; turn = turn.outer) {
    const { alias } = turn;
    const meant = [right, left].find(({ head }) => head !== null && hasOwn(turn.item, head));
    if (!alias || meant === undefined) continue;
    const hasBoth = [left, right].every(({ head }) => head !== null && hasOwn(turn.item, head));
    if (hasBoth || item.path.head === alias) return;
    const loop = env.opened?.get(alias) ?? "the loop";
    env.doubts.push({
      code: "hidden_key",
      message: (tag) =>
        `In the tag ${tag}, both '${left.source}' and '${right.source}' are keys of the same item of '${item.path.source}', although the items of ${loop} have '${meant.source}', too.`,
      hint: `For the item of the loop write ${alias}.${meant.source}.`,
      pointers: [],
      isMissing: false,
    });
    return;
  }
}
