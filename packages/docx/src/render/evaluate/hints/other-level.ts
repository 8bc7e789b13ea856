import { kindOf } from "../../../format/print.ts";
import {
  isPlainName,
  type PathExpression,
  spellKey,
} from "../../../language/grammar/expression.ts";
import { OUTER } from "../../../language/parse-call.ts";
import { NOT_PROVIDED } from "../context/document-diagnostics.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { hasOwn, resolve, resolveHead, type Scope, turnNamed } from "../context/scope.ts";

/**
 * Returns the path whose key is at another level of the data: `customer.address.city` for `customer.city`,
 * `customer.email` for `customer.address.email`. Null if no object, or more than one, has the key.
 */
export function atOtherLevel(path: PathExpression, env: Evaluation): string | null {
  const [missing, ...after] = path.head === null ? [] : [path.head, ...path.rest];
  // In the parentheses of a function, the names are keys of the items.
  if (missing === undefined || env.scope?.siblings !== undefined) return null;
  if (![missing, ...after].every(isPlainName)) return null;
  const top: Level = { value: env.data, names: [] };
  const levels = [top];
  let [key, rest] = [missing, after];
  let value = resolveHead(missing, env);
  while (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const [next, ...others] = rest;
    if (next === undefined) return null;
    levels.unshift({ value, names: [...(levels[0]?.names ?? []), key] });
    [key, rest] = [next, others];
    if (!hasOwn(value, next)) break;
    value = value[next];
  }
  const [own = top, ...above] = levels;
  if (hasOwn(own.value, key)) return null;
  const inItem = levels.length === 1 ? belowItem([key, ...rest], env) : null;
  if (inItem !== null) return inItem;
  // A single name such as 'name' is often a key of the whole data, too.
  const isUsual = rest.length === 0 && USUAL.test(key);
  const outer = isUsual ? above.filter((level) => level !== top) : above;
  const higher = outer.find(({ value: of }) => holds(of, [key, ...rest]));
  return below(own, [key, ...rest]) ?? (higher === undefined ? null : spelled(higher, key, rest));
}

/** Returns the hint for `f.currency`, where only the data or one of its objects has this key; null for other paths. */
export function keyElsewhere({ rest }: PathExpression, env: Evaluation): string | null {
  const [key, ...more] = rest;
  if (key === undefined || more.length > 0 || !isPlainName(key)) return null;
  const path = { kind: "path", source: key, head: key, rest: [] } as const;
  const meant = resolve(path, env) === undefined ? atOtherLevel(path, env) : key;
  return meant === null ? null : `Did you mean '${meant}'?`;
}

/** Names of keys that objects of different kinds have. */
const USUAL =
  /^(?:name|id|title|dates?|address|street|city|zip|country|phone|mobile|e?mail|number|no|nr|total|amount|price|currency|note|notes|comment|type|kind|status|code|description|text|label|value|items|lines)$/i;

function belowItem(keys: readonly string[], env: Evaluation): string | null {
  for (let at = env.scope; at !== null; at = at.outer) {
    const found = at.alias === null ? null : below({ value: at.item, names: [at.alias] }, keys);
    if (found !== null) return found;
  }
  return null;
}

/** An object of the data, with the names that lead to it. */
interface Level {
  readonly value: unknown;
  readonly names: readonly string[];
}

/** Number of objects that are searched for a key. */
const MAX_OBJECTS = 200;
/** Number of keys of an object that are searched for further objects. */
const MAX_KEYS = 100;

/** Returns the path of the only object within an object that has some keys. Lists are not searched. */
function below(from: Level, keys: readonly string[]): string | null {
  const found: Level[] = [];
  const open = [from];
  for (let at = 0; at < open.length && at < MAX_OBJECTS; at++) {
    const { value, names } = open[at] ?? from;
    for (const name of Object.keys(value ?? {})
      .filter(isPlainName)
      .slice(0, MAX_KEYS)) {
      const inner: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
      if (typeof inner !== "object" || inner === null || Array.isArray(inner)) continue;
      const level = { value: inner, names: [...names, name] };
      if (holds(inner, keys)) found.push(level);
      open.push(level);
    }
  }
  const [only, ...others] = found;
  const [key = "", ...rest] = keys;
  return only === undefined || others.length > 0 ? null : spelled(only, key, rest);
}

function holds(of: unknown, keys: readonly string[]): boolean {
  let value = of;
  for (const key of keys) {
    if (!hasOwn(value, key)) return false;
    value = value[key];
  }
  return value !== null;
}

function spelled({ names }: Level, key: string, rest: readonly string[]): string {
  return [...names, key].join(".") + rest.map(spellKey).join("");
}

/**
 * Returns the path without its first name: for `d.company.name` where `d` is the item of a loop and only the data has a
 * company, and for `members.m.name` where `m` is the item of a loop.
 */
export function outsideOfTurn({ head, rest }: PathExpression, env: Evaluation): string | null {
  const [key, ...keys] = rest;
  const turn = head === null ? null : turnNamed(head, env.scope);
  if (key === undefined || keys.length === 0 || !isPlainName(key)) return null;
  if (turn === null ? turnNamed(key, env.scope) === null : hasOwn(turn.item, key)) return null;
  const path = { kind: "path", source: key, head: key, rest: keys } as const;
  return resolve(path, env) === undefined ? null : key + keys.map(spellKey).join("");
}

/** Names of the item of an outer loop in other languages. */
const OUTER_NAMES = /^(?:outer|parent|_parent|up|super|parentloop)$/i;

/** Returns the hint for `parent.name` in a loop within a loop: the name of the outer item. Null for other paths. */
export function hintForParent({ head, rest }: PathExpression, env: Evaluation): string | null {
  if (head === null || !OUTER_NAMES.test(head) || resolveHead(head, env) !== undefined) return null;
  const outer = outerTurnWith(rest[0] ?? "", env.scope);
  if (outer === null) return null;
  const keys = rest.map(spellKey).join("");
  if (outer.alias !== null)
    return `'${outer.alias}' is the item of the loop around this one. Did you mean '${outer.alias}${keys}'?`;
  const { source } = outer.path;
  return `Give the item of the outer list a name, as in 'for x in ${source}' in place of '#${source}', and write x${keys}.`;
}

/** Returns the hint for `outer.id` outside the parentheses of a function; null for other paths. */
export function hintForOuter(
  { source, head, rest }: PathExpression,
  env: Evaluation,
): string | null {
  if (head !== OUTER || env.scope?.siblings !== undefined) return null;
  if (hasOwn(env.data, head) || rest.length === 0) return null;
  const keys = source.slice(OUTER.length);
  const outer = outerTurnWith(rest[0] ?? "", env.scope);
  for (let at = outer ?? env.scope; at !== null; at = at.outer) {
    if (at.alias !== null && hasOwn(at.item, rest[0] ?? "")) {
      return `'${OUTER}' is the item of a function around another function. For the item of the loop write ${at.alias}${keys}.`;
    }
  }
  return `'${OUTER}' is the item of a function around another function. Outside of functions write ${keys.slice(1)}.`;
}

/** Returns the innermost loop around the loop of a tag whose item has a key, or null. */
export function outerTurnWith(key: string, scope: Scope | null): Scope | null {
  let at = scope;
  while (at !== null && at.index === null) at = at.outer;
  for (at = at?.outer ?? null; at !== null; at = at.outer) {
    if (at.index !== null && hasOwn(at.item, key)) return at;
  }
  return null;
}

/** Number of keys that a hint names. */
const MAX_NAMED = 12;

/**
 * Returns the hint with the keys of the object that lacks a key: `'policy.holder' has: first, last.` Null for the whole
 * data, for lists, and for objects whose keys may be values, such as the names of persons.
 */
export function keysBeside({ head, rest }: PathExpression, env: Evaluation): string | null {
  let value = resolveHead(head, env);
  let source = head ?? "this";
  for (const key of rest) {
    if (Array.isArray(value)) return keysOfItems(value, source, key);
    if (!hasOwn(value, key)) break;
    value = value[key];
    source += spellKey(key);
  }
  if (
    rest.length === 0 ||
    kindOf(value) !== "object" ||
    !isPlainName(source.split(/[.[]/)[0] ?? "")
  )
    return null;
  const keys = namesIn(value as object);
  return keys === null ? null : `'${source}' has: ${keys}. ${NOT_PROVIDED}`;
}

/** `travellers.name`, where no item has the key. */
function keysOfItems(list: readonly unknown[], source: string, key: string): string | null {
  const [first] = list;
  if (kindOf(first) !== "object" || !isPlainName(key) || list.some((item) => hasOwn(item, key)))
    return null;
  const keys = namesIn(first as object);
  return keys === null ? null : `The items of '${source}' have: ${keys}. ${NOT_PROVIDED}`;
}

/** Returns the keys of an object, unless they may be values. */
function namesIn(value: object): string | null {
  const keys = Object.keys(value);
  const areNames = keys.length > 0 && keys.every((key) => /^[\p{Ll}_][\p{L}\p{N}_ -]*$/u.test(key));
  return areNames && keys.length <= MAX_NAMED ? keys.join(", ") : null;
}
