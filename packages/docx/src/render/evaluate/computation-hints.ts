import { readDate } from "../../format/read-date.ts";
import { type Wording, withTags } from "../../language/delimiters/wording.ts";
import {
  type Expression,
  operandsOf,
  type PathExpression,
  sourceOf,
} from "../../language/grammar/expression.ts";
import { spellExpression } from "../../language/grammar/spell.ts";
import { written } from "../../language/literal-conditions.ts";
import {
  isPercentage,
  numberMeant,
  percentageMeant,
  withoutUnit,
} from "../../language/mistakes/number-texts.ts";
import type { Evaluation } from "./context/evaluation.ts";
import { hasOwn, resolve } from "./context/scope.ts";
import {
  hintForLists,
  keyOfItem,
  productOfLists,
  selectedList,
  sumOfProducts,
} from "./hints/list-products.ts";
import { hintForBoolean } from "./hints/math-hints.ts";
import { spelled } from "./suggestions.ts";

/** A computation, and the value of one of its operands that is not a number. */
interface WrongComputation {
  readonly computation: Expression;
  readonly value: unknown;
  /** The operand as written; null for a computation. */
  readonly operand: string | null;
  /** The operand in full. */
  readonly spelled: string;
  /** The path of an operand with `??` that has the value; null for others. */
  readonly replaced: PathExpression | null;
  readonly timeZone: string;
  /** Whether the computation is in the parentheses of a function, for each item of a list. */
  readonly isInCall: boolean;
  /** Returns the value of an operand. */
  readonly evaluated: (operand: Expression) => unknown;
}

/** Returns how to compute with dates or to join texts, with the names of the tag; null for other values. */
export function hintForOperand(wrong: WrongComputation): string | null {
  const { computation, value, operand, timeZone } = wrong;
  if (Array.isArray(value)) return hintForList(wrong, value);
  if (typeof value === "object" && computation.kind === "compute")
    return keyAfterSlash(wrong) ?? keyOfItem(value, wrong.spelled);
  if (typeof value === "boolean") return hintForBoolean(computation, wrong.spelled);
  if (typeof value !== "string") return null;
  if (isDate(value, timeZone)) return hintForDate(wrong);
  if (isPercentage(value)) return percentageMeant(operand, ...sidesOf(computation));
  const isText = /\p{L}/u.test(value) && !/\d/.test(value);
  if (isText && computation.kind === "negate")
    return reversed(computation) ?? numberMeant(value, operand);
  if (computation.kind !== "compute" || computation.operator !== "+" || !isText)
    return wrong.replaced === null
      ? numberMeant(value, operand ?? lookedUp(wrong.spelled))
      : replacedMeant(value, wrong.replaced.source, wrong.spelled);
  const parts = termsOf(computation).map(written);
  return parts.includes(null)
    ? 'Join texts with $concat(a, " ", b).'
    : `To join texts, write $concat(${parts.join(", ")}).`;
}

function hintForList(wrong: WrongComputation, list: readonly unknown[]): string | null {
  const { computation, operand } = wrong;
  if (operand === null) return selectedList(computation, wrong.spelled);
  return (
    productWithSum(wrong) ??
    productOfLists(computation, wrong.evaluated, wrong.isInCall) ??
    hintForLists(list, operand)
  );
}

/** Returns an operand such as `items.first().price` or `price.trim()`; null for longer ones. */
function lookedUp(spelled: string): string | null {
  return /^[^\s"',]+$/.test(spelled) ? spelled : null;
}

/** `(s.licenses ?? 0)`, where the value is text. */
function replacedMeant(value: string, source: string, spelled: string): string {
  return value.trim() === ""
    ? `'${source}' is empty text, which ?? does not replace: write $if(${source}, ${source}, 0) in place of (${spelled}).`
    : numberMeant(value, source);
}

/** Returns the operator of a computation, and its operands as written; null for those that are computations. */
function sidesOf(
  computation: Expression,
): readonly [operator: string, left: string | null, right: string | null] {
  if (computation.kind !== "compute") return ["", null, null];
  return [computation.operator, written(computation.left), written(computation.right)];
}

/** `customer/name`, where the object has the key. */
function keyAfterSlash({ computation, value, operand }: WrongComputation): string | null {
  if (computation.kind !== "compute" || computation.operator !== "/") return null;
  const { right } = computation;
  const key = right.kind === "path" && right.rest.length === 0 ? right.source : null;
  return key !== null && operand !== null && hasOwn(value, key) ? `Write ${operand}.${key}.` : null;
}

/** `sort(-date)` and `sort(-name)`. */
function reversed({ operand }: { readonly operand: Expression }): string | null {
  const key = written(operand);
  return key === null
    ? null
    : `For the reverse order, write desc after the key: sort(${key} desc).`;
}

/** `labour.sum(hours) * labour.rate`. */
function productWithSum({ computation, evaluated, operand }: WrongComputation): string | null {
  if (computation.kind !== "compute") return null;
  const { left, right } = computation;
  const list = [left, right].find((side) => side.kind === "path" && side.source === operand);
  const meant = list === undefined ? null : sumOfProducts(computation, list, () => true);
  return meant === null || !Array.isArray(evaluated(sourceOf(meant) ?? meant))
    ? null
    : `For the sum of the products write ${spellExpression(meant)}.`;
}

function hintForDate({ computation, timeZone, evaluated }: WrongComputation): string {
  const general = "Calculate with dates by functions: due.addDays(30), start.daysUntil(end).";
  if (computation.kind === "negate") return reversed(computation) ?? general;
  if (computation.kind !== "compute") return general;
  const { operator, left, right } = computation;
  const [one, other] = [written(left), written(right)];
  if (one === null || other === null || (operator !== "+" && operator !== "-")) return general;
  const days = (operand: Expression, name: string): string => {
    const value = evaluated(operand);
    return (typeof value === "string" ? withoutUnit(value, name) : null) ?? name;
  };
  if (!isDate(evaluated(left), timeZone))
    return operator === "+" ? `Write ${other}.addDays(${days(left, one)}).` : general;
  if (!isDate(evaluated(right), timeZone))
    return `Write ${one}.addDays(${operator === "-" ? "-" : ""}${days(right, other)}).`;
  if (operator === "-" && [left, right].every((side) => hasTime(evaluated(side))))
    return `Write ${other}.hoursUntil(${one}) or ${other}.minutesUntil(${one}). For whole days write ${other}.daysUntil(${one}).`;
  return operator === "-"
    ? `Write ${other}.daysUntil(${one}). To print both dates, write a tag for each of them.`
    : general;
}

/** Whether a date has a time. */
function hasTime(value: unknown): boolean {
  return typeof value === "string" && /\d[T ]\d\d:\d\d/.test(value);
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

/**
 * Returns what to write in place of a missing operand of a computation, with all operands that are missing; null if the
 * path is not an operand.
 */
export function hintForOperandMissing(
  expression: Expression,
  path: PathExpression,
  missed: readonly PathExpression[],
): Wording | null {
  const computation = computationOf(expression, path);
  if (computation === null) return null;
  const whole = expression.kind === "compute" ? computed(expression, missed) : null;
  const other = isDivisor(computation, path) ? "1" : "0";
  return whole === null
    ? withTags`Add it to the data, or write what counts in its place, as in (${path.source} ?? ${other}).`
    : withTags`Add it to the data, or write what counts in its place, as in {{${whole}}}.`;
}

/** Returns the hint for a division by zero, with the names of the tag; null if the divisor is a number in the tag. */
export function hintForZero(division: Computation): string | null {
  const { right } = division;
  if (right.kind === "number") return null;
  const zero = { kind: "number", text: "0" } as const;
  const isZero = { kind: "compare", operator: "==", left: right, right: zero } as const;
  const meant = `$if(${spellExpression(isZero)}, 0, ${spellExpression(division)})`;
  return `Write what counts if the divisor is 0, such as 0: ${meant}.`;
}

type Computation = Extract<Expression, { kind: "compute" }>;

function isDivisor({ operator, right }: Computation, path: PathExpression): boolean {
  return right === path && (operator === "/" || operator === "%");
}

/** Returns the computation that has a path as an operand. */
function computationOf(expression: Expression, path: PathExpression): Computation | null {
  if (expression.kind === "compute" && (expression.left === path || expression.right === path)) {
    return expression;
  }
  for (const operand of operandsOf(expression)) {
    const found = computationOf(operand, path);
    if (found !== null) return found;
  }
  return null;
}

/** Returns a computation as written, with another value for each missing operand; null for other computations. */
function computed(expression: Computation, missed: readonly PathExpression[]): string | null {
  const { operator, left, right } = expression;
  const isSum = operator === "+" || operator === "-";
  const side = (operand: Expression, isRight: boolean): string | null => {
    if (operand.kind === "path" && missed.includes(operand)) {
      return `(${operand.source} ?? ${isRight && isDivisor(expression, operand) ? 1 : 0})`;
    }
    if (operand.kind !== "compute") return operand.kind === "compare" ? null : written(operand);
    const inner = computed(operand, missed);
    const isInnerSum = operand.operator === "+" || operand.operator === "-";
    const needsBrackets = isInnerSum ? isRight || !isSum : isRight && !isSum;
    return inner === null || !needsBrackets ? inner : `(${inner})`;
  };
  const [one, other] = [side(left, false), side(right, true)];
  return one === null || other === null ? null : `${one} ${operator} ${other}`;
}
