import { kindOf } from "../../../format/print.ts";
import type {
  CallExpression,
  Expression,
  PathExpression,
} from "../../../language/grammar/expression.ts";
import {
  isPlainName,
  itemArgumentsOf,
  operandsOf,
  pathsOf,
} from "../../../language/grammar/expression.ts";
import { FUNCTIONS, isOfList } from "../../../language/grammar/functions.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { written } from "../../../language/literal-conditions.ts";
import { withoutList } from "../../../language/mistakes/read-calls.ts";
import { OUTER } from "../../../language/parse-call.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { hasOwn, turnNamed } from "../context/scope.ts";
import { type Missing, ofGroup } from "../hints/group-items.ts";
import { ofParent } from "../hints/parent-items.ts";
import { hintForMissing } from "../suggestions.ts";
import { givesNumber } from "./dates.ts";

/** Returns the hint for a path that has no value for an item of a list. Null: another value is missing. */
export function hintForItem(path: PathExpression | null, missing: Missing): string {
  if (path === null) {
    const doubt = missing.env.doubts.find(({ code }) => code === "never_equal")?.hint;
    if (typeof doubt === "string") return doubt;
    const lookup =
      missing.expression.kind === "element" ? spellExpression(missing.expression) : null;
    return lookup === null
      ? "Give each item the values that the tag needs."
      : forLookup(lookup, missing);
  }
  return (
    ofGroup(path, missing) ??
    constant(path) ??
    emptyMeant(path, missing.expression) ??
    otherwise(path, missing)
  );
}

/** `criteria.map(s.score[this])`, where some items have no such element. */
function forLookup(lookup: string, missing: Missing): string {
  const { call } = missing;
  const other = `write what counts in its place, as in ${call.slice(1)}(${lookup} ?? 0).`;
  return call === "$map" || OF_PRESENT.has(call)
    ? `${presentOnly(lookup, missing, lookup)} To keep them, ${other}`
    : `If some may lack it, ${other}`;
}

function constant({ source }: PathExpression): string | null {
  const word = source.toLowerCase();
  return ["true", "false", "null"].includes(word) ? `Did you mean '${word}'?` : null;
}

/** `status == blank`, where no item has the key `blank`. */
function emptyMeant({ source }: PathExpression, expression: Expression): string | null {
  if (!/^(?:blank|empty|nil|none|nothing|undefined)$/i.test(source)) return null;
  if (expression.kind !== "compare" || expression.right.kind !== "path") return null;
  const { left, right, operator } = expression;
  if (right.source !== source || !/^[!=]=$/.test(operator)) return null;
  const test = `${spellExpression(left)} isEmpty`;
  return `For an empty or missing value, write ${operator === "==" ? test : `not (${test})`}.`;
}

function otherwise(path: PathExpression, missing: Missing): string {
  const { call, expression, env } = missing;
  const { source, head, rest } = path;
  const own =
    ofParent(path, missing) ??
    ofLoop(path, env) ??
    withoutName(path, missing) ??
    innerList(path, missing) ??
    ofNamedItem(path, env);
  if (own !== null) return own;
  const near = hintForMissing(path, env, false);
  const isNumber = call === "$sum" || call === "$average" || isOfNumbers(expression, source);
  const none = near === null ? noItemHas(path, env) : null;
  const quoted =
    expression === path && CONDITIONS.has(call)
      ? `If it is text, compare a key with it, as in ${call.slice(1)}(status == "${source}").`
      : `If it is text, put it in quotes: "${source}".`;
  const quotes = isNumber ? "" : ` ${quoted}`;
  if (none !== null) {
    const truth = truthMeant(source, missing);
    return truth === null ? none + quotes : `${none} ${truth}`;
  }
  const instead =
    near ??
    truthMeant(source, missing) ??
    leftOut(source, missing) ??
    dateMissing(path, missing) ??
    `Give each item the value, or write what counts in its place, as in (${source} ?? ${isListIn(expression, path) ? "[]" : isNumber ? "0" : '""'}).`;
  const isKey = env.scope?.siblings?.(path) === true;
  const isText = rest.length === 0 && head !== null && !isKey && mayHaveText(expression);
  // A name that begins with a capital letter is text rather than a key.
  if (
    isText &&
    !isNumber &&
    near !== null &&
    /^\p{Lu}/u.test(source) &&
    !near.includes(`'${source}`)
  )
    return `${quoted} ${near}`;
  return isText ? instead + quotes : instead;
}

/** For a path that begins with the name of a loop's item: `g.items.sum(g.amount)`. */
function ofNamedItem({ source, head, rest }: PathExpression, { scope }: Evaluation): string | null {
  const turn = head === null ? null : turnNamed(head, scope);
  if (turn === null) return null;
  if (rest.length > 0 && kindOf(turn.item) !== "object" && !Array.isArray(turn.item))
    return `'${head}' is a single value itself: write ${head} in place of ${source}.`;
  return hasOwn(scope?.item, rest[0] ?? "") && turn.item !== scope?.item
    ? `In the parentheses, a name is a key of the items: write ${source.slice(`${head}.`.length)} in place of ${source}.`
    : `Write what counts in place of the missing value, as in (${source} ?? ""), or put the tag into a block that tests it.`;
}

/** Whether a path is the list that a function within an expression is called on. */
function isListIn(expression: Expression, path: PathExpression): boolean {
  if (expression.kind === "call" && expression.arguments[0] === path && isOfList(expression.name))
    return true;
  const inner = expression.kind === "call" ? itemArgumentsOf(expression) : [];
  return [...operandsOf(expression), ...inner].some((each) => isListIn(each, path));
}

/** `items.sum(i.quantity * i.price)`, where the items have the keys `quantity` and `price`. */
function withoutName({ head, rest }: PathExpression, missing: Missing): string | null {
  const { call, of, expression, env } = missing;
  const [key] = rest;
  if (head === null || key === undefined || of === null || call === "$sort") return null;
  const item = env.scope?.item;
  const isName = !hasOwn(item, head) && !hasOwn(env.data, head) && hasOwn(item, key);
  // The name may be the item of a loop elsewhere.
  const isOpened = env.opened?.get(head) !== undefined;
  const isSeveral = pathsOf(expression).filter((path) => path.head === head).length > 1;
  if (
    !isName ||
    !(isSeveral || isOpened) ||
    !isPlainName(head) ||
    turnNamed(head, env.scope) !== null
  )
    return null;
  const keys = withoutList(spellExpression(expression), head);
  return `In the parentheses, a key alone is the key of each item. Write ${of}.${call.slice(1)}(${keys}).`;
}

/** `phases.sum(hours)`, where each phase has a list of tasks whose items have the key. */
function innerList(
  { head, rest }: PathExpression,
  { call, of, expression, env }: Missing,
): string | null {
  const item = env.scope?.item;
  if (of === null || head === null || rest.length > 0 || expression.kind !== "path") return null;
  if (!/^\$(?:sum|average|min|max)$/.test(call) || hasOwn(env.data, head)) return null;
  const list = Object.keys(item ?? {}).find((key) => {
    const value = hasOwn(item, key) ? item[key] : null;
    return isPlainName(key) && Array.isArray(value) && hasOwn(value[0], head);
  });
  return list === undefined
    ? null
    : `'${head}' is a key of the items of '${list}': write ${of}.${list}.${call.slice(1)}(${head}).`;
}

/** `outer.id` and `item.id`, where a loop around the tag has an item with the key, or the tag is outside all loops. */
function ofLoop(
  { source, head, rest }: PathExpression,
  { scope, data }: Evaluation,
): string | null {
  if (head !== OUTER && head !== "item") return null;
  if (turnNamed(head, scope) !== null || hasOwn(data, head)) return null;
  const [key = ""] = rest;
  const keys = source.slice(head.length);
  for (let at = scope?.outer ?? null; at !== null; at = at.outer) {
    if (at.alias !== null && hasOwn(at.item, key)) {
      return `For the item of the loop write ${at.alias}${keys}.`;
    }
  }
  if (head !== OUTER) return null;
  const none = `'${OUTER}' is the item of a function around this function, but no function is around it.`;
  const isKey = scope?.siblings?.({ head: key, rest: [], source: key, kind: "path" }) === true;
  if (hasOwn(data, key) && !isKey) return `${none} Write ${keys.slice(1)}.`;
  return scope?.outer === null && hasOwn(data, key)
    ? `${none} Give the value outside the function a name: put the tag into 'for x in [${key}]' and 'endfor', and write x in place of ${source}.`
    : `${none} Give the item of the loop a name, as in 'for item in list', and write item${keys}.`;
}

/** `items.where(urgent == false)`, where some items lack the key. */
function truthMeant(source: string, { call, of, expression }: Missing): string | null {
  if (expression.kind !== "compare" || expression.left.kind !== "path") return null;
  const { operator, left, right } = expression;
  if (left.source !== source || right.kind !== "literal" || typeof right.value !== "boolean")
    return null;
  const isTrue = (operator === "==") === right.value;
  return `If a missing value counts as false, write ${of === null ? "" : `${of}.`}${call.slice(1)}(${isTrue ? "" : "not "}${source}).`;
}

/** The functions that take a condition. */
const CONDITIONS: ReadonlySet<CallExpression["name"]> = new Set([
  ...(["$where", "$count", "$first", "$last"] as const),
]);

/** The functions whose result would be wrong with another number in place of a missing one. */
const OF_PRESENT: ReadonlySet<CallExpression["name"]> = new Set(["$average", "$min", "$max"]);

/** Returns how to leave out the items without a value; null if a number in place of it is right. */
function leftOut(source: string, missing: Missing): string | null {
  const { call, expression } = missing;
  if (!OF_PRESENT.has(call)) return null;
  const zero = call === "$average" ? ` To count them as 0, write (${source} ?? 0).` : "";
  return `${presentOnly(source, missing, written(expression))}${zero}`;
}

function presentOnly(source: string, { call, of }: Missing, key: string | null): string {
  const skip =
    key === null || of === null
      ? `write .where(${source} isPresent) before .${call.slice(1)}`
      : `write ${of}.where(${source} isPresent).${call.slice(1)}(${key})`;
  return `To leave out such items, ${skip}.`;
}

/** `invoices.group(date.month())`: no text and no number can count in place of a date. */
function dateMissing(path: PathExpression, missing: Missing): string | null {
  const { call, expression } = missing;
  const of = dateCallOn(path, expression);
  if (of === null) return null;
  const skip = presentOnly(
    path.source,
    missing,
    call === "$sort" ? null : spellExpression(expression),
  );
  return givesNumber(of.name)
    ? `${skip} To keep them, write what counts in its place, as in (${spellExpression(of)} ?? 0).`
    : skip;
}

/** Returns the function on dates within an expression that is called on a path. */
function dateCallOn(path: PathExpression, expression: Expression): CallExpression | null {
  if (expression.kind === "call" && expression.arguments[0] === path)
    return FUNCTIONS[expression.name].of === "date" ? expression : null;
  const inner = expression.kind === "call" ? itemArgumentsOf(expression) : [];
  for (const each of [...operandsOf(expression), ...inner]) {
    const found = dateCallOn(path, each);
    if (found !== null) return found;
  }
  return null;
}

/** Whether an expression computes with a path or orders it with a number. */
function isOfNumbers(expression: Expression, source: string): boolean {
  if (expression.kind === "compute" || expression.kind === "negate")
    return pathsOf(expression).some((path) => path.source === source);
  if (expression.kind === "compare" && /^[<>]/.test(expression.operator)) {
    const { left, right } = expression;
    const isNumber = left.kind === "number" || right.kind === "number";
    if (isNumber && pathsOf(expression).some((path) => path.source === source)) return true;
  }
  return operandsOf(expression).some((operand) => isOfNumbers(operand, source));
}

/** Whether a text without quotes may be in a place of an expression. */
function mayHaveText(expression: Expression): boolean {
  if (expression.kind === "call") return expression.name === "$if";
  return ["compare", "and", "or", "not", "fallback"].includes(expression.kind);
}

/** For a name that no item of the list has: the names that the items have. */
function noItemHas({ head }: PathExpression, { scope }: Evaluation): string | null {
  if (scope === null || head === null || scope.items === null) return null;
  const { item, items } = scope;
  if (Array.isArray(item)) {
    return `The items are lists. For one list of all their elements write .map(this) before the function, as in [a, b].map(this).sum(${head}).`;
  }
  if (kindOf(item) !== "object") {
    return "The items are single values, which are written as 'this'.";
  }
  if (items.some((each) => hasOwn(each, head))) return null;
  const keys = Object.keys(item as object).slice(0, MAX_KEYS);
  return `No item has '${head}'. The items have: ${keys.join(", ")}.`;
}

/** Number of keys that a hint names. */
const MAX_KEYS = 12;
