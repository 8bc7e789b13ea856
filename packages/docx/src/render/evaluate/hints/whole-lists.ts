import {
  type CallExpression,
  type Expression,
  isPlainName,
  type PathExpression,
  pathsOf,
  spellKey,
} from "../../../language/grammar/expression.ts";
import { FUNCTIONS, type FunctionSignature } from "../../../language/grammar/functions.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { type Evaluation, loopNamed } from "../context/evaluation.ts";
import { Group } from "../context/origins.ts";
import { hasOwn, type RenderData, type Scope, turnNamed } from "../context/scope.ts";

/**
 * Returns the call over a list that `$sum(i.amount)`, `$sum(amount)` and, for a group, `$sum(g.amount)` mean, if the
 * group or a list of the data has such items.
 */
export function callOverList(
  expression: Expression,
  path: PathExpression,
  { data, scope }: Evaluation,
): string | null {
  if (expression.kind !== "call") return null;
  if (expression.arguments.length !== 1) return callOverInner(expression, path, data, scope);
  const { of, parameters }: FunctionSignature = FUNCTIONS[expression.name];
  const key = path.rest.at(-1) ?? path.head;
  if (of !== "list" || parameters[0] !== "item" || key === null || path.rest.length > 1)
    return null;
  const list = itemsOfGroup(path, key, scope) ?? listWith([key], data);
  if (list === undefined || !isPlainName(key)) return null;
  const name = expression.name.slice(1);
  // The key has a list of numbers for each item.
  return isListOfItems(data[list], key) ? `${list}.${key}.${name}()` : `${list}.${name}(${key})`;
}

/** `lines.sum(units)` outside of loops, where each item of a list of the data has a list of lines with units. */
function callOverInner(
  call: CallExpression,
  path: PathExpression,
  data: RenderData,
  scope: Scope | null,
): string | null {
  const { head, rest } = path;
  if (scope !== null || head === null || rest.length > 0 || hasOwn(data, head)) return null;
  const [of, key] = call.arguments;
  if (of !== path || !/^\$(?:sum|average|min|max)$/.test(call.name) || key === undefined)
    return null;
  const list = listWith([head], data);
  const items = list === undefined ? null : data[list];
  const inner = Array.isArray(items) && hasOwn(items[0], head) ? items[0][head] : null;
  const isOfKeys =
    Array.isArray(inner) && pathsOf(key).every((each) => hasOwn(inner[0], each.head ?? ""));
  return isOfKeys ? `${list}.${spellExpression(call)}` : null;
}

/** Returns the list of the data whose items have some keys; otherwise undefined. */
export function listWith(keys: readonly string[], data: RenderData): string | undefined {
  const isMeant = (list: unknown): boolean =>
    Array.isArray(list) && keys.every((key) => hasOwn(list[0], key));
  return Object.keys(data)
    .slice(0, MAX_LISTS)
    .find((name) => isPlainName(name) && isMeant(data[name]));
}

function isListOfItems(items: unknown, key: string): boolean {
  return Array.isArray(items) && hasOwn(items[0], key) && Array.isArray(items[0][key]);
}

/** Returns the items of the group that a path names, or whose items have its only key; undefined for other paths. */
function itemsOfGroup(path: PathExpression, key: string, scope: Scope | null): string | undefined {
  for (let at = scope; at !== null; at = at.outer) {
    if (!(at.item instanceof Group) || !hasOwn(at.item.items[0], key)) continue;
    if (path.rest.length === 0 || path.head === at.alias)
      return at.alias === null ? "items" : `${at.alias}.items`;
  }
  return undefined;
}

/** Returns the call over a list for `p.sum(price)` after `{{tablerow p in parts}}` and its end; null for other tags. */
export function overAllItems(
  expression: Expression,
  { head, rest }: PathExpression,
  env: Evaluation,
): string | null {
  const { scope } = env;
  const loop = head === null ? undefined : loopNamed(head, env);
  if (loop === undefined || expression.kind !== "call" || turnNamed(head ?? "", scope) !== null)
    return null;
  const [, list, group] =
    /\sin\s+([\p{L}_][\p{L}\p{N}_.]*?)(\.group\(.*)?\s*\}*$/u.exec(loop) ?? [];
  const isItem = group === undefined ? rest.length === 0 : rest.join(".") === "items";
  const [of, ...given] = expression.arguments;
  if (
    list === undefined ||
    !isItem ||
    of?.kind !== "path" ||
    FUNCTIONS[expression.name].of !== "list"
  )
    return null;
  return `${list}.${expression.name.slice(1)}(${given.map(spellExpression).join(", ")})`;
}

/** Returns the forms for `d.city` after `{{for d in days}}` and its end; null for other paths. */
export function ofOneItem({ head, rest }: PathExpression, env: Evaluation): string | null {
  const { scope, isInHeader } = env;
  const loop = head === null ? undefined : loopNamed(head, env);
  if (loop === undefined || isInHeader || turnNamed(head ?? "", scope) !== null) return null;
  const [, list] = /\sin\s+([\p{L}_][\p{L}\p{N}_.]*)\s*\}*$/u.exec(loop) ?? [];
  const keys = rest.map(spellKey).join("");
  return list === undefined || rest.length === 0
    ? null
    : `${list}.first()${keys} or ${list}.last()${keys}`;
}

/** Number of keys of the data that are searched for a list. */
const MAX_LISTS = 500;
