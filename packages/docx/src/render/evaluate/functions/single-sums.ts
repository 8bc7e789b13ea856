import { toDecimal } from "../../../format/decimal.ts";
import { withTags } from "../../../language/delimiters/wording.ts";
import {
  type CallExpression,
  isPlainName,
  type PathExpression,
  spellKey,
} from "../../../language/grammar/expression.ts";
import type { FunctionName } from "../../../language/grammar/functions.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { pointerOf } from "../context/pointers.ts";
import { along, holderOf, type Scope, turnNamed } from "../context/scope.ts";

const OF_NUMBERS: ReadonlySet<FunctionName> = new Set(["$sum", "$average", "$min", "$max"]);

/** Number of items that are searched for a list. */
const MAX_ITEMS = 500;

/**
 * Records a sum of one number in each repetition, such as `$sum(item.price)` in a loop over items: it is the price. A
 * single value in place of a list is normal if another item has a list there.
 */
export function noteSingle(call: CallExpression, of: unknown, env: Evaluation): void {
  const [path, ...more] = call.arguments;
  const isJoin = call.name === "$join" && typeof of === "string";
  if (path?.kind !== "path" || !(isJoin || (OF_NUMBERS.has(call.name) && more.length === 0)))
    return;
  if (!isJoin && (Array.isArray(of) || toDecimal(of) === null)) return;
  const turn = turnOf(path, env.scope);
  // It is reported once for each loop.
  if (turn?.index !== 0 || turn.items === null || turn.items.length < 2) return;
  // In a section, the name may also mean a list outside it.
  if (isJoin && turn.alias === null) return;
  const keys = turn.alias === null && path.head !== null ? [path.head, ...path.rest] : path.rest;
  const [key, ...others] = keys;
  if (key === undefined) return;
  const hasList = turn.items
    .slice(0, MAX_ITEMS)
    .some((item) => Array.isArray(along(keys, item, { spend: env.spend })));
  if (hasList) return;
  const list = turn.path.source;
  const start = isPlainName(key) ? key : `this${spellKey(key)}`;
  const inside = [start, ...others.map(spellKey)].join("");
  env.doubts.push({
    code: "sum_of_one_value",
    message: (tag) =>
      `The tag ${tag} gets a single ${isJoin ? "text" : "number"} in each repetition of '${list}', not a list.`,
    hint: withTags`For a result over all items, write {{${list}.${isJoin ? `map(${inside}).join(", ")` : `${call.name.slice(1)}(${inside})`}}}. For the ${isJoin ? "text" : "number"} itself, write {{${path.source}}}.${call.name === "$sum" ? withTags` For the sum up to this item, write {{$running(${path.source})}}.` : ""}`,
    pointers: [pointerOf(path, env)],
    isMissing: false,
  });
}

/** Returns the iteration whose item a path begins with. */
function turnOf(path: PathExpression, scope: Scope | null): Scope | null {
  return path.head === null ? scope : (turnNamed(path.head, scope) ?? holderOf(path, scope));
}
