import { kindOf } from "../../../format/print.ts";
import {
  type CallExpression,
  type Expression,
  isPlainName,
} from "../../../language/grammar/expression.ts";

import { EvaluationError } from "../compare/compare.ts";
import { hasOwn } from "../context/scope.ts";
import { isSingle, MAX_KEYS, namesFirst } from "../hints/key-in-brackets.ts";

/**
 * Returns how to group or sort by a key of the object in an item, such as `group(customer.id)`. `key`: the argument that
 * gave the object; undefined if the items themselves are compared. `value`: one of the objects.
 */
export function hintForObjectKey(
  { name, descending }: CallExpression,
  key: Expression | undefined,
  value: object,
): string {
  const call = name.slice(1);
  const of = key?.kind === "path" ? key.source : null;
  if (key !== undefined && of === null)
    return `Name a value that can be ordered, as in ${call}(city).`;
  const start = of === null || of === "this" || of === "." ? "" : `${of}.`;
  const end = name === "$sort" && descending[0] === true ? " desc" : "";
  const keys = Object.keys(value).filter(isPlainName).slice(0, MAX_KEYS);
  const single = keys.filter((each) => isSingle(value, each)).sort(namesFirst);
  const [one, other] = single.map((each) => `${call}(${start}${each}${end})`);
  if (one === undefined) return `Name the key of the items, as in ${call}(city).`;
  const what = start === "" ? "The items are objects" : `'${of}' is an object`;
  return `${what} with the keys ${keys.join(", ")}: write ${other === undefined ? one : `${one} or ${other}`}.`;
}

/** Returns the hint for an object or a list as the key of `group` or `distinct`; null for other values. */
export function hintForGroupKey(call: CallExpression, value: unknown): string | null {
  const [of, key] = call.arguments;
  if (kindOf(value) === "object") return hintForObjectKey(call, key, value as object);
  if (!Array.isArray(value) || of?.kind !== "path" || key?.kind !== "path") return null;
  const [, inner, last] = /^(.+)\.([\p{L}_][\p{L}\p{N}_]*)$/u.exec(key.source) ?? [];
  return inner === undefined || inner === of.source
    ? null
    : `'${key.source}' is a list for each item. For the items of all lists write ${of.source}.${inner}.${call.name.slice(1)}(${last}).`;
}

/** Throws {@link EvaluationError} if an object is among the values to sort by. */
export function checkSortKeys(
  call: CallExpression,
  key: Expression | undefined,
  values: readonly unknown[],
): void {
  const list = values.findIndex(Array.isArray);
  if (list !== -1 && key !== undefined) throw listAsKey(call, key, list);
  const element = values.findIndex((value) => kindOf(value) === "object");
  if (element === -1) return;
  const hint = hintForObjectKey(call, key, values[element] as object);
  throw Object.assign(
    new EvaluationError("sort needs text, numbers or dates as keys, but got an object"),
    { argument: 0, element, hint },
  );
}

/** Returns the error for a key that is a list: `items.sort(items.price)`, and `orders.sort(lines.q)`. */
export function listAsKey(
  { name, arguments: [of], descending }: CallExpression,
  key: Expression,
  element: number,
): EvaluationError {
  const call = name.slice(1);
  const what = key.kind === "path" ? `'${key.source}'` : "the key";
  return Object.assign(new EvaluationError(`${what} of '${call}' is a list, not a single value`), {
    argument: 0,
    element,
    hint: hintForListKey(call, of, key, descending[0] === true ? " desc" : ""),
  });
}

function hintForListKey(
  call: string,
  of: Expression | undefined,
  key: Expression,
  end: string,
): string {
  if (key.kind !== "path") return "Name a key of the items that has a single value.";
  const list = of?.kind === "path" ? of.source : null;
  if (list !== null && key.source.startsWith(`${list}.`)) {
    return `In the parentheses, a name is a key of the items: write ${call}(${key.source.slice(list.length + 1)}${end}).`;
  }
  const [, inner, last] = /^(.+)\.([\p{L}_][\p{L}\p{N}_]*)$/u.exec(key.source) ?? [];
  if (inner === undefined)
    return `For the number of its elements write ${call}(${key.source}.count()${end}).`;
  if (list?.startsWith(`${inner}.`))
    return `For both lists apart write ${inner}.${call}(${list.slice(inner.length + 1)}) and ${inner}.${call}(${last}).`;
  return call === "sort"
    ? `To order by a sum, write ${call}(${inner}.sum(${last})${end}).`
    : `To compare all of them, write ${list === null ? `map(${inner})` : `${list}.${inner}`}.${call}(${last}).`;
}

/** Throws for `sort(attribute == "price")`, where no item has the first name but they have the key in quotes. */
export function checkNamedKey(key: Expression, list: readonly unknown[]): void {
  if (key.kind !== "compare" || key.left.kind !== "path" || key.right.kind !== "literal") return;
  const { head, rest } = key.left;
  const { value } = key.right;
  if (head === null || rest.length > 0 || typeof value !== "string" || list.length === 0) return;
  if (list.some((item) => hasOwn(item, head)) || !list.every((item) => hasOwn(item, value))) return;
  throw Object.assign(new EvaluationError(`no item has '${head}'`), {
    argument: 0,
    hint: `To order by '${value}', write the key itself: sort(${value}).`,
  });
}
