import { nearest } from "@quire/contracts";
import { type Wording, withTags } from "../../language/delimiters/wording.ts";
import {
  type Expression,
  isPlainName,
  LOOP_VARIABLES,
  type PathExpression,
  spellKey,
} from "../../language/grammar/expression.ts";
import { type FunctionName, givesItems, isFunction } from "../../language/grammar/functions.ts";
import { functionMeant, nearestFunction } from "../../language/grammar/functions-elsewhere.ts";
import { spellExpression } from "../../language/grammar/spell.ts";
import type { Evaluation } from "./context/evaluation.ts";
import { Group } from "./context/origins.ts";
import { hasOwn, resolve, turnNamed } from "./context/scope.ts";
import { called } from "./dotted-names.ts";

/** Returns the key in an argument such as `sum(i.price)`, where the keys of the items have no name before them. */
export function withoutItem({ head, rest }: PathExpression, env: Evaluation): string | null {
  const [key, ...keys] = rest;
  const { scope, data } = env;
  if (scope === null || scope.alias !== null || head === null || key === undefined) return null;
  if (resolve({ kind: "path", source: head, head, rest: [] }, env) !== undefined) return null;
  const isKey = !hasOwn(data, head) && hasOwn(scope.item, key) && isPlainName(key);
  return isKey ? [key, ...keys.map(spellKey)].join("") : null;
}

/** Names of dates and of positions in a loop, in lowercase and without `$` and underscores. */
const OWN_NAMES: ReadonlyMap<string, string> = new Map([
  ...named("$today", "today", "date", "currentdate"),
  ...named("$now", "now", "time", "datetime", "timestamp"),
  ...named("$today.addDays(1)", "tomorrow"),
  ...named("$today.addDays(-1)", "yesterday"),
  ...named("$today.year()", "year", "currentyear", "thisyear"),
  ...named("$today.month()", "month", "currentmonth", "thismonth"),
]);
const LOOP_NAMES: ReadonlyMap<string, string> = new Map([
  ...named("$index", "index", "idx", "i", "index0"),
  ...named(
    "$number",
    "number",
    "rownum",
    "rownumber",
    "rowno",
    "row",
    "counter",
    "position",
    "pos",
    "nr",
    "no",
  ),
  ...named("$first", "first", "isfirst"),
  ...named("$last", "last", "islast"),
  ...named("$length", "length", "size", "total"),
]);

function named(name: string, ...others: readonly string[]): [string, string][] {
  return others.map((other) => [other, name]);
}

/**
 * Returns the built-in variable that a name with a dollar sign certainly means, such as `$Today` or, in a loop,
 * `$rownum`. Returns null if the data or a loop has the name without the dollar sign.
 */
export function dollarNameMeant({ head, rest }: PathExpression, env: Evaluation): string | null {
  if (head === null || !head.startsWith("$") || rest.length > 0) return null;
  const bare = head.slice(1);
  if (resolve({ kind: "path", source: bare, head: bare, rest: [] }, env) !== undefined) return null;
  const name = folded(bare);
  const variable = OWN_NAMES.get(name) ?? (isInLoop(env) ? LOOP_NAMES.get(name) : undefined);
  return variable ?? (isFunction(head) ? `${head}(path)` : null);
}

function folded(name: string): string {
  return name.toLowerCase().replaceAll("_", "");
}

function isInLoop(env: Evaluation): boolean {
  for (let at = env.scope; at !== null; at = at.outer) if (at.index !== null) return true;
  return false;
}

/** Recognizes `items.where(paid).count`, a function after a result, without its parentheses. */
export function functionOfResult(expression: Expression): string | null {
  const last = expression.kind === "member" ? expression.keys.at(-1) : undefined;
  if (expression.kind !== "member" || last === undefined) return null;
  const at = expression.keys.findIndex((key) => key === "first" || key === "last");
  if (at !== -1 && at < expression.keys.length - 1 && givesList(expression.of)) {
    const rest = expression.keys
      .slice(at + 1)
      .map(spellKey)
      .join("");
    return `Did you mean '.${expression.keys[at]}()${rest}'?`;
  }
  const parts = keyOfParts(expression.of);
  if (parts !== null) return parts;
  const [, key] = expression.of.kind === "call" ? expression.of.arguments : [];
  if (/^(?:desc|descending)$/.test(last) && key?.kind === "path")
    return `For the reverse order, write desc after the key: sort(${key.source} desc).`;
  const name = isFunction(`$${last}`) ? (`$${last}` as FunctionName) : functionMeant(last);
  return name === null ? keyOfExtreme(expression) : `Did you mean '.${called(name)}'?`;
}

/** `address.split(", ").city`: a list of texts. */
function keyOfParts(of: Expression): string | null {
  if (of.kind !== "call" || of.name !== "$split") return null;
  const list = spellExpression(of);
  return `'split' gives a list of texts without keys. For the first part write ${list}[0], and for the last one ${list}.last().`;
}

/** Whether an expression is a call that gives a list, not one of its items. */
function givesList(expression: Expression): boolean {
  if (expression.kind !== "call" || /^\$(?:first|last)$/.test(expression.name)) return false;
  return givesItems(expression.name);
}

/** Recognizes `items.max(price).name`: the greatest value has no keys, but its item has. */
function keyOfExtreme(expression: Expression): string | null {
  const of = expression.kind === "member" ? expression.of : null;
  if (expression.kind !== "member" || of?.kind !== "call") return null;
  const [list, key] = of.arguments;
  if (!/^\$(?:min|max)$/.test(of.name) || list?.kind !== "path" || key?.kind !== "path")
    return null;
  const end = of.name === "$max" ? "last" : "first";
  const keys = expression.keys.map(spellKey).join("");
  return `The result of '${of.name.slice(1)}' is a single value. For its item write ${list.source}.sort(${key.source}).${end}()${keys}.`;
}

/** Returns the built-in variable or function that a name probably means: `now`, `loop.index` or `index` in a loop. */
export function ownNameMeant({ head, rest }: PathExpression, env: Evaluation): string | null {
  if (head === null) return null;
  const inLoop = isInLoop(env);
  if (rest.length > 0) return inLoop ? positionMeant(head, rest, env) : null;
  const name = folded(head);
  if ((name === "now" || name === "today") && !hasOwn(env.data, head)) return `$${name}`;
  if (inLoop && /^(?:index|number|rownum|rownumber)$/.test(name))
    return LOOP_NAMES.get(name) ?? null;
  if (!head.startsWith("$")) return null;
  const variable = inLoop ? nearest(head, LOOP_VARIABLES) : null;
  if (variable !== null) return variable;
  const near = head.length < 4 ? null : nearestFunction(head);
  return near === null ? null : `${near}(path)`;
}

/** Returns `d.$number` for `$d.number` and `d$number`, where `d` is the item of a loop; null for other paths. */
export function variableOfItem(
  { head, rest, source }: PathExpression,
  env: Evaluation,
): string | null {
  const [, alias = "", name = ""] =
    (rest.length === 1 ? /^\$([\p{L}_][\p{L}\p{N}_]*)\.(\w+)$/u.exec(source) : null) ??
    (rest.length === 0 ? /^([\p{L}_][\p{L}\p{N}_]*)\$(\w+)$/u.exec(head ?? "") : null) ??
    [];
  const variable = LOOP_VARIABLES.find((each) => each === `$${name}`);
  return variable === undefined || turnNamed(alias, env.scope) === null
    ? null
    : `${alias}.${variable}`;
}

/** Returns the variable for `loop.index`, which counts from 1 in other languages, and for `item.$index`. */
function positionMeant(
  head: string,
  [key = "", ...more]: readonly string[],
  { scope }: Evaluation,
): string | null {
  if (more.length > 0) return null;
  const own = LOOP_VARIABLES.find((each) => each === `$${key}`);
  if (own !== undefined && turnNamed(head, scope) !== null) return `${head}.${own}`;
  const variable = LOOP_VARIABLES.find((each) => each === key);
  if (variable !== undefined) return variable;
  if (/^(?:for)?loop$/.test(head))
    return key === "index" ? "$number" : (LOOP_NAMES.get(key) ?? null);
  return key === "index" ? "$index" : null;
}

/** Returns `customer.name` for `customerName` and `customer_name`, and the other way round; null if neither exists. */
export function nestedMeant(
  { head, rest }: PathExpression,
  { data, scope }: Evaluation,
): string | null {
  const [key, ...more] = rest;
  if (head === null || more.length > 0 || hasOwn(data, head)) return null;
  if (key !== undefined) return spellings([head, key]).find((name) => hasOwn(data, name)) ?? null;
  const only = scope === null ? onlyObjectWith(head, data) : null;
  if (only !== null) return `${only}.${head}`;
  const words = head.split(/_|(?<=\p{Ll})(?=\p{Lu})/u);
  for (let at = 1; at < words.length; at++) {
    for (const outer of spellings(words.slice(0, at))) {
      const object = hasOwn(data, outer) ? data[outer] : undefined;
      const inner = spellings(words.slice(at)).find((name) => hasOwn(object, name));
      if (inner !== undefined) return `${outer}.${inner}`;
    }
  }
  return null;
}

/** Number of keys of the data that are searched for a name. */
const MAX_OBJECTS = 500;

/** Returns the key of the object that has a name; null unless exactly one object of the data has it. */
function onlyObjectWith(name: string, data: object): string | null {
  const keys = Object.keys(data).slice(0, MAX_OBJECTS);
  const [first, ...others] = keys.filter((key) => {
    const value: unknown = Object.getOwnPropertyDescriptor(data, key)?.value;
    return isPlainName(key) && !Array.isArray(value) && hasOwn(value, name);
  });
  return first === undefined || others.length > 0 || !isPlainName(name) ? null : first;
}

/** Returns words as one name, in the forms that names have in data. */
function spellings(words: readonly string[]): string[] {
  const small = words.map((word) => word.toLowerCase());
  const large = small.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const [first = ""] = small;
  return [small.join("_"), first + large.slice(1).join(""), large.join("")];
}

/** Returns the hint for `{{row.values[month]}}`, where `month` is the text of a loop and the values are a list; or null. */
export function positionHint(
  { source }: PathExpression,
  key: PathExpression,
  env: Evaluation,
): Wording | null {
  const turn = key.head === null || key.rest.length > 0 ? null : turnNamed(key.head, env.scope);
  return turn === null || turn.index === null || typeof turn.item !== "string"
    ? null
    : withTags`'${source}' is a list and '${key.source}' is text. For the value at the position of '${key.source}' write {{${source}[${key.source}.$index]}}.`;
}

/** Returns the hint for `{{customer.name}}`, where `customer` is the JSON text of an object; or null. */
export function jsonHint({ source, head, rest }: PathExpression, env: Evaluation): Wording | null {
  const key = rest.at(-1);
  if (key === undefined || !source.endsWith(`.${key}`)) return null;
  const before = source.slice(0, -key.length - 1);
  const value = resolve({ kind: "path", source: before, head, rest: rest.slice(0, -1) }, env);
  return typeof value === "string" && /^\s*[{[].*[}\]]\s*$/s.test(value)
    ? `'${before}' is text, not an object: parse its JSON, and give the object in the data.`
    : null;
}

/** A group by a part of a date, in the tag of a loop. */
const BY_PART = /\.group\(\s*([\p{L}_$][\p{L}\p{N}_$.]*)\.(month|week)\(\)\s*\)/u;

/**
 * Returns the hint for the key of a group by months or weeks that is formatted as a date: the key is a number. Null for
 * other values.
 */
export function hintForGroupKey(
  expression: Expression,
  { scope, opened }: Evaluation,
): string | null {
  if (expression.kind !== "path" || expression.head === null) return null;
  const { head, rest } = expression;
  if (rest.length !== 1 || rest[0] !== "key") return null;
  if (!(turnNamed(head, scope)?.item instanceof Group)) return null;
  const loop = opened?.get(head) ?? "";
  const [written = "", date = "", part = ""] = BY_PART.exec(loop) ?? [];
  if (written === "") return null;
  const start = part === "month" ? "startOfMonth" : "startOfWeek";
  return `The key is the number that ${part}() gives. To print it as a date, group by the first day of the ${part}: ${loop.replace(written, `.group(${date}.${start}())`)}.`;
}
