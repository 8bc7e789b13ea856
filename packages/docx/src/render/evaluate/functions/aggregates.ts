import { countOf } from "../../../format/characters.ts";
import { average, type Decimal, max, min, sum, toDecimal } from "../../../format/decimal.ts";
import { indexedElements } from "../../../format/elements.ts";
import { kindOf, printValue } from "../../../format/print.ts";
import type { FunctionName } from "../../../language/grammar/functions.ts";
import { numberMeant } from "../../../language/mistakes/number-texts.ts";
import { EvaluationError, withArticle } from "../compare.ts";

/**
 * Returns one number from the values of a list. Returns undefined for an empty list, except for the sum. `key`: what
 * the values are of the items, for messages.
 */
export function aggregate(
  name: FunctionName,
  values: readonly unknown[],
  key: string | null = null,
): unknown {
  const numbers = numbersOf(name, values, key);
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
export function callFunction(name: FunctionName, values: readonly unknown[]): unknown {
  const [first, second, third] = values;
  switch (name) {
    case "$count":
      return Array.isArray(first) ? first.length : 1;
    case "$length":
      return lengthOf(first);
    case "$join":
      return join(first, separator(second ?? ", ", 1), third);
    default:
      return aggregate(name, Array.isArray(first) ? first : [first]);
  }
}

function numbersOf(name: FunctionName, list: readonly unknown[], key: string | null): Decimal[] {
  const numbers: Decimal[] = [];
  for (const [index, item] of indexedElements(list)) {
    if (item !== undefined && item !== null) numbers.push(numberOf(name, item, index, key));
  }
  return numbers;
}

/** Returns the number in the first argument of a function, or in its list. Throws {@link EvaluationError}. */
export function numberOf(
  name: FunctionName,
  value: unknown,
  element = 0,
  key: string | null = null,
): Decimal {
  const number = toDecimal(value);
  if (number !== null) return number;
  const what = typeof value === "string" ? "text that is not a number" : withArticle(value);
  const found = key === null ? "got" : `'${key}' is`;
  const error = unfit(`${name} needs numbers, but ${found} ${what}`, { element });
  if (kindOf(value) === "object")
    error.hint = `Name what counts, as in items.${name.slice(1)}(price).`;
  if (Array.isArray(value))
    error.hint = `Name the key of an item, without the list: items.${name.slice(1)}(price).`;
  if (typeof value === "string") error.hint = numberMeant(value, key);
  throw error;
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
  throw unfit(`the argument of $join ${problem}`, element === undefined ? {} : { element });
}

function separator(value: unknown, argument: number): string {
  if (typeof value === "string") return value;
  throw unfit("$join needs text in quotes between the elements", { argument });
}
