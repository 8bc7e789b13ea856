import { kindOf } from "../../format/print.ts";
import { type Wording, withTags } from "../../language/delimiters/wording.ts";
import {
  type Expression,
  isPlainName,
  type PathExpression,
  spellKey,
} from "../../language/grammar/expression.ts";
import {
  FUNCTIONS,
  type FunctionName,
  isFunction,
  isOfList,
} from "../../language/grammar/functions.ts";
import type { TagOrigin } from "../../program/tag-ops.ts";
import { withArticle } from "./compare/compare.ts";
import type { Evaluation } from "./context/evaluation.ts";
import { Entry } from "./context/origins.ts";
import { hasOwn, INDEX, otherItemsHave, resolve, resolveHead, turnNamed } from "./context/scope.ts";
import { hintForBrackets, keyOfTurn } from "./hints/key-in-brackets.ts";
import { hintForKeyOfList } from "./hints/keys-of-lists.ts";
import { hintForOuter } from "./hints/other-level.ts";
import { hintForCharacter } from "./hints/parts-of-text.ts";

/**
 * Returns a hint for a path without a value whose name is right but belongs elsewhere: to an outer loop, to another
 * list, to the value of an entry or to Word. Returns null for other paths.
 */
export function hintForMisplaced(path: PathExpression, env: Evaluation): string | null {
  return (
    ofBrackets(path) ??
    hintForOuter(path, env) ??
    ofWord(path, env) ??
    ofOuterLoop(path, env) ??
    ofAnotherList(path, env) ??
    hintForBrackets(path, env) ??
    meant(path, env)
  );
}

/** Returns the hint for `["red"]`, which is a key of the data, not a list of one text; null for other paths. */
function ofBrackets({ source, rest }: PathExpression): string | null {
  if (rest.length > 0 || !/^\[["'].*["']\]$/.test(source)) return null;
  return `${source} is a key of the data. A list of one text has a comma at its end: ${source.slice(0, -1)},].`;
}

function meant(path: PathExpression, env: Evaluation): string | null {
  const form =
    ofEntry(path, env) ?? ofColumn(path, env) ?? callInPath(path, env) ?? belowRoot(path, env);
  return form === null ? null : `Did you mean '${form}'?`;
}

/** What Word or another tag does in place of these names, in lowercase. */
const OF_WORD: ReadonlyMap<string, string> = new Map([
  ...named(
    "Word counts the pages: insert a page number with Word in place of the tag.",
    ...["$page", "$pagenumber", "page", "pagenumber"],
  ),
  ...named(
    "Word counts the pages: insert the number of pages with Word (the field NUMPAGES) in place of the tag.",
    ...["$pages", "$numpages", "$pagecount", "pages", "numpages", "pagecount"],
  ),
  ...named(
    "A tag makes no page break: insert it with Word in place of the tag, within the block that it belongs to.",
    ...["pagebreak", "page_break", "$pagebreak", "newpage"],
  ),
  ...named(
    "For a line break write $newline; to end a paragraph, begin a new one in Word.",
    ...["newline", "linebreak", "line_break", "br", "nl", "crlf"],
  ),
  ...named(
    "A loop has no 'break'. Repeat only some of the items, as in items.limit(3) or items.where(paid).",
    ...["break", "continue"],
  ),
]);

function named(hint: string, ...names: readonly string[]): [string, string][] {
  return names.map((name) => [name, hint]);
}

/** Maximum number of keys of an object that are compared with a name. */
const MAX_KEYS = 500;

function ofWord(path: PathExpression, { data, scope }: Evaluation): string | null {
  const { source } = path;
  if (/^(?:NEXT|(?:NEXT|SKIP)IF|(?:Next|Skip) ?Record(?: ?If)?)$/.test(source))
    return "A loop repeats its content for each record, as in 'for item in items'.";
  const name = source.toLowerCase();
  const hint = OF_WORD.get(name);
  if (hint === undefined) return null;
  if (otherItemsHave(path, scope)) return null;
  const keys = [data, scope?.item].flatMap((of) => Object.keys(of ?? {}).slice(0, MAX_KEYS));
  if (keys.some((key) => key.toLowerCase() === name)) return null;
  return name.startsWith("$") ? hint : `${hint} A value with this name must be in the data.`;
}

/** Two loops, one within the other, give their items the same name. */
function ofOuterLoop({ head, rest: [key] }: PathExpression, { scope }: Evaluation): string | null {
  if (head === null || key === undefined) return null;
  const inner = turnNamed(head, scope);
  const outer = inner === null ? null : turnNamed(head, inner.outer);
  return hasOwn(outer?.item, key)
    ? `'${head}' is the item of the inner loop here. Give the item of that loop another name, to use '${head}' for the item of the outer one.`
    : null;
}

/** `{{for l in orders.lines}}{{l.no}}`, where the orders have a `no`. */
function ofAnotherList({ head, rest: [key] }: PathExpression, env: Evaluation): string | null {
  const turn = head === null ? null : turnNamed(head, env.scope);
  if (turn === null || key === undefined || head === null) return null;
  const last = turn.path.rest.at(-1);
  const list = parentOf(turn.path);
  if (last === undefined || list === null || !isPlainName(last)) return null;
  const value = resolve(list, { ...env, scope: turn.outer });
  if (!Array.isArray(value) && hasOwn(value, key)) {
    return `Did you mean '${list.source}${spellKey(key)}'?`;
  }
  if (!Array.isArray(value) || !hasOwn(value[0], key)) return null;
  const { source } = list;
  if (typeof turn.item !== "object" && key === last)
    return `'${head}' is the value of '${last}' itself: write ${head} alone.`;
  return typeof turn.item === "object"
    ? `'${key}' is a key of '${source}'. Write a loop within a loop: 'for item in ${source}', and in it 'for ${head} in item.${last}'. Then write item.${key}.`
    : `'${head}' is only the value of '${last}'. Repeat the list itself, 'for ${head} in ${source}', and write ${head}.${last} and ${head}.${key}.`;
}

/** Returns the path without its last key, or null if it names only the item of a block. */
function parentOf({ head, rest }: PathExpression): PathExpression | null {
  if (head === null || rest.length === 0) return null;
  const keys = rest.slice(0, -1);
  const source = head + keys.map(spellKey).join("");
  return isPlainName(head) ? { kind: "path", source, head, rest: keys } : null;
}

/** `entry.name`, where the value of the entry has the key. */
function ofEntry({ head, rest }: PathExpression, { scope }: Evaluation): string | null {
  const [key] = rest;
  const item = head === null ? null : turnNamed(head, scope)?.item;
  if (!(item instanceof Entry) || key === undefined || key === "key" || key === "value")
    return null;
  if (kindOf(item.value) !== "object")
    return /^(?:name|id|title|label)$/i.test(key) ? `${head}.key` : `${head}.value`;
  return hasOwn(item.value, key) ? `${head}.value${rest.map(spellKey).join("")}` : null;
}

/** `row.month` and `labels.status`, where a name that is known there has a text that is a key of the object. */
function ofColumn(path: PathExpression, env: Evaluation): string | null {
  const name = path.rest.at(-1);
  const of = parentOf(path);
  if (name === undefined || of === null || !isPlainName(name)) return null;
  const object = resolve(of, env);
  if (typeof object !== "object" || Array.isArray(object)) return null;
  const isKey = (value: unknown): boolean => typeof value === "string" && hasOwn(object, value);
  if (isKey(resolveHead(name, env))) return `${of.source}[${name}]`;
  for (let at = env.scope; at !== null; at = at.outer) {
    if (at.alias !== null && at.alias !== of.head && hasOwn(at.item, name) && isKey(at.item[name]))
      return `${of.source}[${at.alias}.${name}]`;
  }
  return null;
}

/** `items.first.name` for `items.first().name`. */
export function callInPath({ head, rest }: PathExpression, env: Evaluation): string | null {
  const at = rest.findIndex((key) => key === "first" || key === "last");
  if (head === null || !isPlainName(head) || at === -1 || at === rest.length - 1) return null;
  const keys = rest.slice(0, at);
  const list = resolve({ kind: "path", source: "", head, rest: keys }, env);
  if (!Array.isArray(list) || hasOwn(list[0], rest[at] ?? "")) return null;
  const of = head + keys.map(spellKey).join("");
  return `${of}.${rest[at]}()${rest
    .slice(at + 1)
    .map(spellKey)
    .join("")}`;
}

/** Names of the whole data in other languages. */
const ROOTS = /^(?:\$|\$?(?:d|data|root|json|model|ctx|context|payload|input|vars))$/i;

/** Returns the path without a name of the whole data before it; null for other paths. */
export function belowRoot({ head, rest }: PathExpression, env: Evaluation): string | null {
  const [key, ...keys] = rest;
  if (head === null || key === undefined || !ROOTS.test(head) || !isPlainName(key)) return null;
  const isKnown = resolveHead(head, env) !== undefined || hasOwn(env.data, head);
  return isKnown || !hasOwn(env.data, key) ? null : key + keys.map(spellKey).join("");
}

/** Returns a hint for keys after text, a number or another single value, or null. */
export function hintForSingleValue({ head, rest }: PathExpression, env: Evaluation): string | null {
  if (head === null || !isPlainName(head)) return null;
  let value = resolveHead(head, env);
  let source = head;
  for (const key of rest) {
    if (["string", "number", "bigint", "boolean"].includes(typeof value)) {
      if (typeof value === "string" && INDEX.test(key) && rest.at(-1) === key)
        return hintForCharacter(source, key);
      if (isFunction(`$${key}`)) return `'${key}' is a function: write ${source}.${key}().`;
      return `'${source}' is ${withArticle(value)} and has no keys. To print it, write ${source} alone.`;
    }
    if (Array.isArray(value) && !INDEX.test(key)) return hintForKeyOfList(value, source, rest);
    if (!hasOwn(value, key)) return null;
    value = value[key];
    source += spellKey(key);
  }
  return null;
}

/** Returns the hint for the name of a function that computes with a list, such as `average`, in place of a value. */
export function hintForFunctionName({ head, rest }: PathExpression): string | null {
  const name = /^(?:avg|mean)$/i.test(head ?? "") ? "$average" : `$${head}`;
  if (rest.length > 0 || !isFunction(name) || !COMPUTING.has(name) || !isOfList(name)) return null;
  const { example } = FUNCTIONS[name];
  const call = `items.${name.slice(1)}${name === "$count" ? "()" : example}`;
  return `Add '${head}' to the data. If the function is meant, name its list, as in ${call}.`;
}

const COMPUTING: ReadonlySet<FunctionName> = new Set([
  ...(["$sum", "$average", "$min", "$max", "$count"] as const),
]);

/** The parts of a tag that hints about its value need. */
interface Printed {
  readonly origin: TagOrigin;
  readonly expression: Expression;
  readonly modifiers: readonly unknown[];
}

/**
 * Returns the hint for a printed list of objects, or for an object. It names only the keys of items, because other keys
 * may be data.
 */
export function hintForObjects(
  { origin, expression, modifiers }: Printed,
  value: unknown,
  { scope }: Evaluation,
): Wording | null {
  const { text, delimiters } = origin;
  const whole = text.slice(delimiters.start.length, -delimiters.end.length).trim();
  const path =
    expression.kind === "path" ? expression.source : modifiers.length === 0 ? whole : null;
  if (path !== null && kindOf(value) === "object") {
    const by = keyOfTurn(value as object, scope);
    if (by !== null && expression.kind === "path")
      return withTags`For the value of this '${by.alias}' write {{${path}[${by.key}]}}.`;
    const of = /^(?:this|\.)$/.test(path) ? (scope?.alias ?? "this") : path;
    const isItem = scope?.item === value && scope?.index !== null;
    const keys = isItem ? Object.keys(value as object).slice(0, MAX_NAMED) : [];
    const known = keys.length === 0 ? "" : ` The item has: ${keys.join(", ")}.`;
    return withTags`Name one of its keys after a dot, as in {{${of}.${keys.find(isPlainName) ?? "key"}}}.${known}`;
  }
  if (path === null || !Array.isArray(value) || kindOf(value[0]) !== "object") return null;
  return hintForKeys(expression, path) ?? hintForItems(path, value[0] as object);
}

/** Returns the hint for a list of objects: with a name of its items. */
function hintForItems(path: string, item: object): Wording {
  const keys = Object.keys(item).filter(isPlainName);
  const key = keys.includes("name") ? "name" : (keys[0] ?? "name");
  return withTags`Repeat the list, {{for i in ${path}}}{{i.${key}}}{{endfor}}, or join one value of each item, {{${path}.map(${key}).join(", ")}}.`;
}

/** Returns the hint for a printed `items.distinct(city)` or `items.group(city)`: the value that it names. */
function hintForKeys(expression: Expression, path: string): Wording | null {
  if (expression.kind !== "call") return null;
  const [of, key] = expression.arguments;
  if (expression.name === "$group") {
    return withTags`Repeat the groups, {{for g in ${path}}}{{g.key}}{{endfor}}, or join their keys, {{${path}.map(key).join(", ")}}.`;
  }
  if (expression.name !== "$distinct" || key?.kind !== "path" || key.head === null) return null;
  const list =
    of?.kind === "path" ? `${of.source}.${key.source}.distinct()` : `${path}.map(${key.source})`;
  return withTags`Repeat the list, {{for i in ${path}}}{{i.${key.source}}}{{endfor}}, or join the different values, {{${list}.join(", ")}}.`;
}

/** Number of keys that a hint names. */
const MAX_NAMED = 12;

/** Whether an expression is `n/a`, which would be a division. */
export function isSlashed(expression: Expression): boolean {
  if (expression.kind !== "compute" || expression.operator !== "/") return false;
  const { left, right } = expression;
  return (
    left.kind === "path" &&
    right.kind === "path" &&
    /^n\/a$/i.test(`${left.source}/${right.source}`)
  );
}
