import { toDecimal } from "../../format/decimal.ts";
import { kindOf } from "../../format/print.ts";
import { readDate } from "../../format/read-date.ts";
import type { Expression } from "../../language/grammar/expression.ts";
import { written } from "../../language/literal-conditions.ts";
import { numberMeant } from "../../language/mistakes/number-texts.ts";
import type { Evaluation } from "./evaluation.ts";
import { resolve } from "./scope.ts";
import { spelled } from "./suggestions.ts";

/** A computation, and the value of one of its operands that is not a number. */
interface WrongComputation {
  readonly computation: Expression;
  readonly value: unknown;
  /** The operand as written; null for a computation. */
  readonly operand: string | null;
  readonly timeZone: string;
  /** Returns the value of an operand. */
  readonly evaluated: (operand: Expression) => unknown;
}

/** Returns how to compute with dates or to join texts, with the names of the tag; null for other values. */
export function hintForOperand(wrong: WrongComputation): string | null {
  const { computation, value, operand, timeZone } = wrong;
  if (Array.isArray(value) && operand !== null) return hintForLists(value, operand);
  if (typeof value !== "string") return null;
  if (isDate(value, timeZone)) return hintForDate(wrong);
  const isText = /\p{L}/u.test(value) && !/\d/.test(value);
  if (computation.kind !== "compute" || computation.operator !== "+" || !isText)
    return numberMeant(value, operand);
  const parts = termsOf(computation).map(written);
  return parts.includes(null)
    ? 'Join texts with $concat(a, " ", b).'
    : `To join texts, write $concat(${parts.join(", ")}).`;
}

function hintForLists(value: readonly unknown[], operand: string): string | null {
  const [, list, key] = /^(.+)\.([\p{L}\p{N}_]+)$/u.exec(operand) ?? [];
  if (kindOf(value[0]) === "object") return `For the number of its items write ${operand}.count().`;
  return list === undefined
    ? `For the sum of its numbers write ${operand}.sum().`
    : `For the sum of its numbers write ${list}.sum(${key}).`;
}

/** Returns how to compare a list with a number: by the number of its items; null for other values. */
export function hintForOrder(
  { operator, left, right }: Extract<Expression, { kind: "compare" }>,
  [one, limit]: readonly [unknown, unknown],
  env: Evaluation,
): string | null {
  const other = written(right);
  if (!Array.isArray(one) || left.kind !== "path" || other === null) return null;
  const { head, rest, source } = left;
  const key = rest.at(-1);
  const list = resolve({ kind: "path", source: "", head, rest: rest.slice(0, -1) }, env);
  if (key === undefined || !Array.isArray(list) || !source.endsWith(`.${key}`)) {
    if (toDecimal(limit) === null) return null;
    return `For the number of items write ${source}.count() ${operator} ${other}.`;
  }
  const of = source.slice(0, -key.length - 1);
  return `For at least one item of the list write ${of}.count(${key} ${operator} ${other}) > 0.`;
}

function hintForDate({ computation, timeZone, evaluated }: WrongComputation): string {
  const general = "Calculate with dates by functions: due.addDays(30), start.daysUntil(end).";
  if (computation.kind === "negate") {
    const key = written(computation.operand);
    return key === null
      ? general
      : `For the reverse order, write desc after the key: sort(${key} desc).`;
  }
  if (computation.kind !== "compute") return general;
  const { operator, left, right } = computation;
  const [one, other] = [written(left), written(right)];
  if (one === null || other === null || (operator !== "+" && operator !== "-")) return general;
  if (!isDate(evaluated(left), timeZone))
    return operator === "+" ? `Write ${other}.addDays(${one}).` : general;
  if (!isDate(evaluated(right), timeZone)) {
    return `Write ${one}.addDays(${operator === "-" ? "-" : ""}${other}).`;
  }
  return operator === "-" ? `Write ${other}.daysUntil(${one}).` : general;
}

/** Whether a value is a date in ISO 8601. */
export function isDate(value: unknown, timeZone: string): boolean {
  return typeof value === "string" && !("problem" in readDate(value, null, timeZone));
}

/** Returns the terms of a sum. */
function termsOf(expression: Expression): readonly Expression[] {
  return expression.kind === "compute" && expression.operator === "+"
    ? [...termsOf(expression.left), ...termsOf(expression.right)]
    : [expression];
}

/**
 * Returns the key with hyphens that a subtraction may mean: `first-name` reads as `first` minus `name`. Returns its
 * path in brackets and quotes, or null when the data has no such key.
 */
export function hyphenatedKey(expression: Expression, env: Evaluation): string | null {
  const parts: string[] = [];
  let left = expression;
  let tail: readonly string[] = [];
  while (left.kind === "compute" && left.operator === "-") {
    const { right } = left;
    if (right.kind === "number") parts.unshift(right.text);
    else if (right.kind === "path" && right.head !== null) parts.unshift(right.head);
    else return null;
    if (right.kind === "path" && right.rest.length > 0) {
      if (parts.length > 1) return null;
      tail = right.rest;
    }
    left = left.left;
  }
  if (left.kind !== "path" || parts.length === 0) return null;
  const names = left.head === null ? left.rest : [left.head, ...left.rest];
  const key = [names.at(-1), ...parts].join("-");
  const keys = [...names.slice(0, -1), key, ...tail];
  const head = left.head === null ? null : (keys[0] ?? null);
  const rest = head === null ? keys : keys.slice(1);
  const path = { kind: "path", source: "", head, rest } as const;
  return resolve(path, env) === undefined ? null : spelled(head, rest, env);
}
