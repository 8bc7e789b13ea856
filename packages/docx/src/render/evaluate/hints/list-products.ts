import { toDecimal } from "../../../format/decimal.ts";
import { kindOf } from "../../../format/print.ts";
import {
  type CallExpression,
  type Expression,
  isPlainName,
  sourceOf,
} from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { hasOwn } from "../context/scope.ts";

/**
 * Returns the hint for `items.qty * items.price`, which computes with two keys of one list; null for others. `isInCall`:
 * whether it is in the parentheses of a function.
 */
export function productOfLists(
  computation: Expression,
  evaluated: (operand: Expression) => unknown,
  isInCall: boolean,
): string | null {
  if (computation.kind !== "compute") return null;
  const { left, right, operator } = computation;
  if (!Array.isArray(evaluated(left)) || !Array.isArray(evaluated(right))) return null;
  const [one, other] = [left, right].map(listAndKey);
  if (one == null || other == null || one.list !== other.list) return null;
  const sum = `${one.list}.sum(${one.key} ${operator} ${other.key})`;
  return isInCall
    ? `'${one.list}' is a list for each item: in the parentheses write ${sum}.`
    : `For the sum over the items write ${sum}.`;
}

/**
 * Returns an expression with the sum of the products in place of `labour.sum(hours) * rate` and of `labour.sum(hours) *
 * labour.rate`, where the items of the list have the other key, too; null for other expressions. `isOfItems`: whether
 * the items of a list have a key. `other`: the operand that is not a number.
 */
export function sumOfProducts(
  expression: Expression,
  other: Expression,
  isOfItems: (list: Expression, key: string) => boolean,
): Expression | null {
  if (expression.kind !== "compute") return null;
  const { left, right, operator } = expression;
  for (const [side, factor] of [
    [left, right],
    [right, left],
  ] as const) {
    const sum = factor === other && operator === "*" ? summed(side) : null;
    const key = sum === null ? null : keyOf(sum.list, factor);
    if (sum === null || key === null || !isOfItems(sum.list, key)) continue;
    const path = { kind: "path", source: key, head: key, rest: [] } as const;
    const [one, two] = side === left ? [sum.value, path] : [path, sum.value];
    const product = { ...expression, left: one, right: two };
    return { ...sum.call, arguments: [sum.list, product] };
  }
  const first = sumOfProducts(left, other, isOfItems);
  if (first !== null) return { ...expression, left: first };
  const second = sumOfProducts(right, other, isOfItems);
  return second === null ? null : { ...expression, right: second };
}

/** A sum such as `labour.sum(hours)` or `labour.hours.sum()`. */
interface Sum {
  readonly call: CallExpression;
  readonly list: Expression;
  readonly value: Expression;
}

function summed(call: Expression): Sum | null {
  if (call.kind !== "call" || call.name !== "$sum") return null;
  const [of, value] = call.arguments;
  if (of === undefined) return null;
  if (value !== undefined) return { call, list: of, value };
  const named = listAndKey(of);
  if (of.kind !== "path" || named === null) return null;
  const { list, key } = named;
  return {
    call,
    list: { ...of, source: list, rest: of.rest.slice(0, -1) },
    value: { kind: "path", source: key, head: key, rest: [] },
  };
}

/** Returns the key of the items that a factor names: `rate`, or `labour.rate` for the list `labour`. */
function keyOf(list: Expression, factor: Expression): string | null {
  if (factor.kind !== "path") return null;
  if (factor.rest.length === 0) return factor.head;
  const named = listAndKey(factor);
  return named !== null && named.list === sourceOf(list)?.source ? named.key : null;
}

function listAndKey(expression: Expression): { list: string; key: string } | null {
  if (expression.kind !== "path") return null;
  const [, list, key] = /^(.+)\.([\p{L}\p{N}_]+)$/u.exec(expression.source) ?? [];
  return list === undefined || key === undefined ? null : { list, key };
}

/** Returns the hint for `permits.where(no == "B-1").fee + 10`, which computes with a list; null for other operands. */
export function selectedList(computation: Expression, spelled: string): string | null {
  if (computation.kind !== "compute") return null;
  const { left, right } = computation;
  const side = [left, right].find((each) => spellExpression(each) === spelled);
  if (side?.kind !== "member" || side.of.kind !== "call" || side.of.name !== "$where") return null;
  const first = spellExpression({ ...side, of: { ...side.of, name: "$first" } });
  const [key = "", ...more] = side.keys;
  const sum =
    more.length > 0 ? "" : ` For the sum of all write ${spellExpression(side.of)}.sum(${key}).`;
  return `'where' gives a list. For the first of its items write ${first}.${sum}`;
}

/** Returns the hint for a list in a computation. `operand`: the list as written. */
export function hintForLists(value: readonly unknown[], operand: string): string | null {
  const [, list, key] = /^(.+)\.([\p{L}\p{N}_]+)$/u.exec(operand) ?? [];
  const [first] = value;
  const count = `For the number of its items write ${operand}.count().`;
  if (kindOf(first) === "object") {
    const number = numberIn(first);
    return number === undefined
      ? count
      : `For the sum of a key of its items write ${operand}.sum(${number}). ${count}`;
  }
  if (typeof first === "string" && toDecimal(first) === null) return count;
  return list === undefined
    ? `For the sum of its numbers write ${operand}.sum().`
    : `For the sum of its numbers write ${list}.sum(${key}).`;
}

/** Returns the hint for an item of a list in a computation, such as `readings.last()`; null for other objects. */
export function keyOfItem(item: unknown, spelled: string): string | null {
  const number = /(?:\[\d+\]|\.(?:first|last)\(.*\))$/.test(spelled) ? numberIn(item) : undefined;
  return number === undefined
    ? null
    : `Name one of its keys after a dot, as in ${spelled}.${number}.`;
}

function numberIn(item: unknown): string | undefined {
  return Object.keys(item ?? {}).find(
    (name) => isPlainName(name) && hasOwn(item, name) && kindOf(item[name]) === "number",
  );
}
