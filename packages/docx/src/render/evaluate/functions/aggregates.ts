import { countOf } from "../../../format/characters.ts";
import { average, type Decimal, max, min, sum, toDecimal } from "../../../format/decimal.ts";
import { indexedElements } from "../../../format/elements.ts";
import { kindOf, printValue } from "../../../format/print.ts";
import type { CallExpression } from "../../../language/grammar/expression.ts";
import type { FunctionName } from "../../../language/grammar/functions.ts";
import { numberMeant } from "../../../language/mistakes/number-texts.ts";
import { columnOf, withoutList } from "../../../language/mistakes/read-calls.ts";
import { EvaluationError, withArticle } from "../compare/compare.ts";
import { Entry } from "../context/origins.ts";

/** A list and a key of its items, as a path names them. */
interface Projected {
  readonly list: string;
  readonly key: string;
}

/** The values that a function reads, as the tag names them; null for computations. */
export interface Names {
  readonly key: string | null;
  readonly list: string | null;
  /** Whether the list has values in place of objects. */
  readonly isOfValues?: boolean;
  /** Returns the list and the key of `$sum(items.price)`; null for other arguments. */
  readonly projected?: () => Projected | null;
}

const NO_NAMES: Names = { key: null, list: null };

/** Returns one number from the values of a list. Returns undefined for an empty list, except for the sum. */
export function aggregate(
  name: FunctionName,
  values: readonly unknown[],
  names: Names = NO_NAMES,
): unknown {
  const numbers = numbersOf(name, values, names);
  switch (name) {
    case "$sum":
      return sum(numbers);
    case "$average":
      return average(numbers) ?? undefined;
    case "$min":
      return min(numbers) ?? undefined;
    default:
      return max(numbers) ?? undefined;
  }
}

/**
 * Returns the result of a function whose arguments are values. Returns undefined for an empty list that has no
 * result. Throws {@link EvaluationError} for invalid arguments.
 */
export function callFunction(call: CallExpression, values: readonly unknown[]): unknown {
  const { name } = call;
  const [first, second, third] = values;
  switch (name) {
    case "$count":
      return Array.isArray(first) ? first.length : 1;
    case "$length":
      return lengthOf(first);
    case "$join":
      return join(first, separator(second ?? ", ", 1), third);
    default:
      return Array.isArray(first)
        ? aggregate(name, first, { ...NO_NAMES, projected: () => projectedBy(call) })
        : aggregate(name, [first]);
  }
}

function numbersOf(name: FunctionName, values: readonly unknown[], names: Names): Decimal[] {
  const numbers: Decimal[] = [];
  for (const [index, item] of indexedElements(values)) {
    if (item !== undefined && item !== null) numbers.push(numberOf(name, item, index, names));
  }
  return numbers;
}

/** `orders.sum(lines.amount)`: the list in each item is part of the list. */
function hintForLists(name: string, { key, list }: Names): string {
  const [, inner, last] = /^([\p{L}\p{N}_.]+)\.([\p{L}\p{N}_]+)$/u.exec(key ?? "") ?? [];
  const [, outer, other] = /^([\p{L}\p{N}_.]+)\.([\p{L}\p{N}_]+)$/u.exec(list ?? "") ?? [];
  if (inner !== undefined && inner === outer) {
    const both = `For both lists apart write ${inner}.${name}(${other}) and ${inner}.${name}(${last}).`;
    return name === "sum"
      ? `For the sum of the products write ${inner}.sum(${other} * ${last}). ${both}`
      : both;
  }
  return inner === undefined || list === null || `${inner}.`.startsWith(`${list}.`)
    ? `Name the key of an item, without the list: items.${name}(price).`
    : `To compute with all of them, write ${list}.${inner}.${name}(${last}).`;
}

/** `prices.sum()`, `prices.entries().sum()` and `items.sum()`. */
function hintForObjects(name: string, value: unknown, list: string | null): string {
  if (value instanceof Entry)
    return `Each element has a key and a value: write entries().${name}(value).`;
  const own = Object.values(Object.getOwnPropertyDescriptors(value as object));
  const isOfNumbers = own.length > 0 && own.every((each) => toDecimal(each.value) !== null);
  return list === null && isOfNumbers
    ? `To compute with the values of an object, write entries().${name}(value) after it.`
    : `Name what counts, as in items.${name}(price).`;
}

/** `items.sum(price > 5)` and `items.sum(paid)`. */
function hintForConditions(name: string, { key, list, isOfValues }: Names): string {
  const column = isOfValues === true ? columnOf(list ?? "") : null;
  if (column !== null && key !== null) {
    const condition = withoutList(key, column.list);
    return `Name the list of the items: write ${column.list}.where(${condition}).${name}(${column.key}).`;
  }
  const [, compared, sign] = /^([\p{L}\p{N}_.]+) ([<>]=?|[=!]=) /u.exec(key ?? "") ?? [];
  const of = list ?? "items";
  const count = `To count items, write ${of}.count(${key}).`;
  if (sign === undefined) return count;
  const summed = /[<>]/.test(sign) ? compared : "price";
  return `${count} To select items, write ${of}.where(${key}).${name}(${summed}).`;
}

/** Returns the number in the first argument of a function, or in its list. Throws {@link EvaluationError}. */
export function numberOf(
  name: FunctionName,
  value: unknown,
  element = 0,
  names: Names = NO_NAMES,
): Decimal {
  const { key, list } = names;
  const number = toDecimal(value);
  if (number !== null) return number;
  const what = typeof value === "string" ? "text that is not a number" : withArticle(value);
  const found = key === null ? "got" : `'${key}' is`;
  const error = unfit(`${name} needs numbers, but ${found} ${what}`, { element });
  if (kindOf(value) === "object") error.hint = hintForObjects(name.slice(1), value, list);
  if (Array.isArray(value)) error.hint = hintForLists(name.slice(1), { key, list });
  if (typeof value === "boolean" && key !== null)
    error.hint = hintForConditions(name.slice(1), names);
  if (typeof value === "string" && /^\$ordinal/.test(name) && /^\d{4}-\d\d-\d\d/.test(value))
    error.hintOf = (date) => `For the day of the date write ${date}.day().${name.slice(1)}().`;
  else if (typeof value === "string")
    error.hint =
      hintForEmpty(name.slice(1), value, names) ??
      hintForWords(name.slice(1), value, names) ??
      numberMeant(value, key);
  throw error;
}

/** Returns how to leave out items with empty text, for functions whose result another number would change. */
function hintForEmpty(name: string, value: string, { key, list }: Names): string | null {
  if (value.trim() !== "" || key === null || list === null) return null;
  if (!/^(?:average|min|max)$/.test(name)) return null;
  const zero =
    name === "average"
      ? ` To count it as 0, write ${list}.average($if(${key} == "", 0, ${key})).`
      : "";
  return `It is empty. To leave out such items, write ${list}.where(${key} != "").${name}(${key}).${zero}`;
}

/** `subjects.average(grade)`, where a grade is text without digits, such as "exempt". The message does not quote it. */
function hintForWords(name: string, value: string, { key, list, projected }: Names): string | null {
  if (!/^[^\d]*\p{L}[^\d]*$/u.test(value)) return null;
  const isKey = key !== null && list !== null && /^[\p{L}_][\p{L}\p{N}_]*$/u.test(key);
  const of = isKey ? { key, list } : projected?.();
  return of
    ? `Put a number into the data in its place. To leave out items with this text, write ${of.list}.where(${of.key} != "…").${name}(${of.key}), with the text in place of the dots.`
    : null;
}

/** Returns the list and the key of `items.price`; null for other arguments. */
function projectedBy({ arguments: [of] }: CallExpression): Projected | null {
  if (of?.kind !== "path" || of.head === null) return null;
  const [, list = "", key] = /^(.+)\.([\p{L}_][\p{L}\p{N}_]*)$/u.exec(of.source) ?? [];
  return key === undefined ? null : { list, key };
}

function unfit(
  message: string,
  place: Pick<EvaluationError, "argument" | "element">,
): EvaluationError {
  return Object.assign(new EvaluationError(message), place);
}

function lengthOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value === "string") return countOf(value);
  throw new EvaluationError(`$length needs text or a list, but got ${withArticle(value)}`);
}

function join(value: unknown, between: string, last: unknown): string {
  const beforeLast = last === undefined ? between : separator(last, 2);
  const printed = printValue(Array.isArray(value) ? value : [value], { between, beforeLast });
  if (printed.problem === undefined) return printed.text;
  const { problem, element } = printed;
  const error = unfit(`the argument of $join ${problem}`, element === undefined ? {} : { element });
  if (Array.isArray(value) && kindOf(value[0]) === "object")
    error.hint =
      'Join one value of each item: write map before join, as in items.map(city).join(", ").';
  throw error;
}

function separator(value: unknown, argument: number): string {
  if (typeof value === "string") return value;
  throw unfit("$join needs text in quotes between the elements", { argument });
}
