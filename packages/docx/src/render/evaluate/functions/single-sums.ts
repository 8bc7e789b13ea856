import { toDecimal } from "../../../format/decimal.ts";
import { kindOf } from "../../../format/print.ts";
import { type Wording, withTags } from "../../../language/delimiters/wording.ts";
import {
  type CallExpression,
  isPlainName,
  type PathExpression,
  pathsOf,
  spellKey,
} from "../../../language/grammar/expression.ts";
import type { FunctionName } from "../../../language/grammar/functions.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { pointerOf } from "../context/pointers.ts";
import { along, holderOf, resolve, type Scope, turnNamed } from "../context/scope.ts";
import { listWith } from "../hints/whole-lists.ts";

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
  if (path?.kind !== "path" || !(isJoin || (more.length === 0 && isSingle(call.name, of)))) return;
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
  const value = isJoin ? "text" : "number";
  const start = isPlainName(key) ? key : `this${spellKey(key)}`;
  const inside = [start, ...others.map(spellKey)].join("");
  env.doubts.push({
    code: "sum_of_one_value",
    message: (tag) =>
      `The tag ${tag} gets a single ${typeof of === "boolean" ? "value" : value} in each repetition of '${list}', not a list.`,
    hint:
      call.name === "$count"
        ? hintForCount(list, inside, path, of)
        : withTags`For a result over all items, write {{${list}.${isJoin ? `map(${inside}).join(", ")` : `${call.name.slice(1)}(${inside})`}}}. For the ${value} itself, write {{${path.source}}}.${call.name === "$sum" ? withTags` For the sum up to this item, write {{$running(${path.source})}}.` : ""}`,
    pointers: [pointerOf(path, env)],
    isMissing: false,
  });
}

/** Whether a function on a list gets a single number, or `count` also true or false. */
function isSingle(name: FunctionName, of: unknown): boolean {
  if (name === "$count") return ["number", "boolean"].includes(kindOf(of));
  return OF_NUMBERS.has(name) && !Array.isArray(of) && toDecimal(of) !== null;
}

function hintForCount(list: string, key: string, path: PathExpression, of: unknown): Wording {
  const all = withTags`For the number of items, write {{${list}.count()}}.`;
  return typeof of === "boolean"
    ? withTags`${all} For the number of items for which it is true, write {{${list}.count(${key})}}.`
    : withTags`${all} For the number itself, write {{${path.source}}}.`;
}

/** Records `$sum($if(paid, amount, 0))`, where no list is named and `paid` is a key of the items of a list. */
export function noteChosen(
  { name, arguments: [choice, ...more] }: CallExpression,
  of: unknown,
  env: Evaluation,
): void {
  if (choice?.kind !== "call" || choice.name !== "$if" || Array.isArray(of)) return;
  if (!OF_NUMBERS.has(name) || more.length > 0) return;
  const missing = pathsOf(choice).filter((path) => resolve(path, env) === undefined);
  const keys = missing.flatMap(({ head }) => head ?? []);
  const list = keys.length === 0 ? undefined : listWith(keys, env.data);
  if (list === undefined) return;
  env.doubts.push({
    code: "sum_of_one_value",
    message: (tag) => `In the tag ${tag}, ${name} gets a single value, not a list.`,
    hint: `Name the list: ${list}.${name.slice(1)}(${spellExpression(choice)}).`,
    pointers: [],
    isMissing: false,
  });
}

/** Returns the iteration whose item a path begins with. */
function turnOf(path: PathExpression, scope: Scope | null): Scope | null {
  return path.head === null ? scope : (turnNamed(path.head, scope) ?? holderOf(path, scope));
}
