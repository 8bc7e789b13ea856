import type { Comparison, Expression, PathExpression } from "../template/expression.ts";
import { kindOf } from "../values/print.ts";

/** The data of one document: a JSON object, or the same shape built in memory. */
export type RenderData = Readonly<Record<string, unknown>>;

/** One turn of a loop: the name it gives to its item, and where that item stands in the data. */
export interface Scope {
  readonly alias: string;
  readonly item: unknown;
  /** JSON Pointer of the item. */
  readonly pointer: string;
  /** From 0. */
  readonly index: number;
  /** The number of turns. */
  readonly length: number;
  /** The loop around this one; null in an outermost loop. */
  readonly outer: Scope | null;
}

/** What a path leads to. A missing value is `undefined`; so is `null`, which JSON uses for it. */
export interface Resolved {
  readonly value: unknown;
  /** JSON Pointer of the place, whether or not something is there. */
  readonly pointer: string;
}

/** A comparison of things that have no order, such as a list and a number. */
export class IncomparableError extends Error {}

/**
 * Follows a path: the innermost loop's name first, then the outer ones, then the keys of the data.
 * Only own properties count, so `constructor` or `length` are missing unless the data has them.
 */
export function resolve(path: PathExpression, scope: Scope | null, data: RenderData): Resolved {
  let { value, pointer } = resolveHead(path.head, scope, data);
  for (const key of path.rest) {
    value = ownProperty(value, key);
    pointer += `/${escapePointer(String(key))}`;
  }
  return { value: value ?? undefined, pointer };
}

function resolveHead(head: string | null, scope: Scope | null, data: RenderData): Resolved {
  if (head === null) {
    return scope === null
      ? { value: data, pointer: "" }
      : { value: scope.item, pointer: scope.pointer };
  }
  for (let at = scope; at !== null; at = at.outer) {
    if (at.alias === head) return { value: at.item, pointer: at.pointer };
  }
  return { value: ownProperty(data, head), pointer: `/${escapePointer(head)}` };
}

function ownProperty(value: unknown, key: string | number): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) {
    return Number.isInteger(Number(key)) && Object.hasOwn(value, key)
      ? value[Number(key)]
      : undefined;
  }
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

function escapePointer(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The value of an expression. Throws {@link IncomparableError}. */
export function evaluate(expression: Expression, scope: Scope | null, data: RenderData): unknown {
  switch (expression.kind) {
    case "literal":
      return expression.value ?? undefined;
    case "path":
      return resolve(expression, scope, data).value;
    case "not":
      return !holds(expression.operand, scope, data);
    case "and":
      return holds(expression.left, scope, data) && holds(expression.right, scope, data);
    case "or":
      return holds(expression.left, scope, data) || holds(expression.right, scope, data);
    case "isPresent":
      return evaluate(expression.operand, scope, data) !== undefined;
    case "isEmpty":
      return isEmpty(evaluate(expression.operand, scope, data));
    case "compare":
      return compare(
        expression.operator,
        evaluate(expression.left, scope, data),
        evaluate(expression.right, scope, data),
      );
  }
}

/** Whether a condition holds: its value is there and neither false, 0, an empty text nor an empty list. */
export function holds(condition: Expression, scope: Scope | null, data: RenderData): boolean {
  const value = evaluate(condition, scope, data);
  return value !== false && value !== 0 && !Number.isNaN(value) && !isEmpty(value);
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === "" ||
    (Array.isArray(value) && value.length === 0) ||
    (kindOf(value) === "object" && Object.keys(value as object).length === 0)
  );
}

const DECIMAL = /^\s*-?(\d+(\.\d*)?|\.\d+)\s*$/;

/**
 * Texts compare exactly, by code point order; numbers numerically. A text that spells a decimal number
 * counts as one when the other side is a number, because CSV has nothing but texts. What is missing
 * equals nothing but what is missing, and is neither smaller nor greater than anything.
 */
function compare(operator: Comparison, left: unknown, right: unknown): boolean {
  switch (operator) {
    case "==":
      return equal(left, right);
    case "!=":
      return !equal(left, right);
    case "contains":
      return contains(left, right);
  }
  if (left === undefined || right === undefined) return false;
  const order = orderOf(left, right);
  switch (operator) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
  }
}

function equal(left: unknown, right: unknown): boolean {
  const [a, b] = aligned(left, right);
  return a === b;
}

function contains(whole: unknown, part: unknown): boolean {
  if (whole === undefined || part === undefined) return false;
  if (Array.isArray(whole)) return whole.some((item) => equal(item, part));
  if (typeof whole === "string") return whole.includes(String(part));
  throw new IncomparableError(`contains needs a text or a list, not ${withArticle(whole)}`);
}

function orderOf(left: unknown, right: unknown): number {
  const [a, b] = aligned(left, right);
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  throw new IncomparableError(
    `${withArticle(left)} and ${withArticle(right)} have no order between them`,
  );
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Both sides as numbers when one is a number and the other one spells one. */
function aligned(left: unknown, right: unknown): [unknown, unknown] {
  if (typeof left === "number" && typeof right === "string" && DECIMAL.test(right)) {
    return [left, Number(right)];
  }
  if (typeof right === "number" && typeof left === "string" && DECIMAL.test(left)) {
    return [Number(left), right];
  }
  return [left, right];
}

/** The kind of a value as a message names it: "a text", "an object". */
export function withArticle(value: unknown): string {
  const kind = kindOf(value);
  return /^[aeio]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}
