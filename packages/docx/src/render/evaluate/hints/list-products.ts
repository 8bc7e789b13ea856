import type { Expression } from "../../../language/grammar/expression.ts";

/** Returns the hint for `items.qty * items.price`, which computes with two keys of one list; null for others. */
export function productOfLists(computation: Expression): string | null {
  if (computation.kind !== "compute") return null;
  const { left, right, operator } = computation;
  const [one, other] = [left, right].map(listAndKey);
  if (one == null || other == null || one.list !== other.list) return null;
  return `For the sum over the items write ${one.list}.sum(${one.key} ${operator} ${other.key}).`;
}

function listAndKey(expression: Expression): { list: string; key: string } | null {
  if (expression.kind !== "path") return null;
  const [, list, key] = /^(.+)\.([\p{L}\p{N}_]+)$/u.exec(expression.source) ?? [];
  return list === undefined || key === undefined ? null : { list, key };
}
