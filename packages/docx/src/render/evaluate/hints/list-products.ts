import { toDecimal } from "../../../format/decimal.ts";
import { kindOf } from "../../../format/print.ts";
import { type Expression, isPlainName } from "../../../language/grammar/expression.ts";
import { hasOwn } from "../context/scope.ts";

/** Returns the hint for `items.qty * items.price`, which computes with two keys of one list; null for others. */
export function productOfLists(
  computation: Expression,
  evaluated: (operand: Expression) => unknown,
): string | null {
  if (computation.kind !== "compute") return null;
  const { left, right, operator } = computation;
  if (!Array.isArray(evaluated(left)) || !Array.isArray(evaluated(right))) return null;
  const [one, other] = [left, right].map(listAndKey);
  if (one == null || other == null || one.list !== other.list) return null;
  return `For the sum over the items write ${one.list}.sum(${one.key} ${operator} ${other.key}).`;
}

function listAndKey(expression: Expression): { list: string; key: string } | null {
  if (expression.kind !== "path") return null;
  const [, list, key] = /^(.+)\.([\p{L}\p{N}_]+)$/u.exec(expression.source) ?? [];
  return list === undefined || key === undefined ? null : { list, key };
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
