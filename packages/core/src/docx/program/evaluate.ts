import type { Comparison, Expression, PathExpression } from "../template/expression.ts";
import { kindOf, printValue } from "../values/print.ts";

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
    pointer += `/${escapePointer(key)}`;
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

/** An index as a list spells it: `007` and `1e3` are none. */
const INDEX = /^(?:0|[1-9]\d*)$/;

function ownProperty(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value) && !INDEX.test(key)) return undefined;
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
  const isZero = value === 0 || value === 0n;
  return value !== false && !isZero && !Number.isNaN(value) && !isEmpty(value);
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
 * counts as one when the other side is a number, because CSV has nothing but texts. Dates compare by
 * their time. What is missing equals nothing but what is missing, and is neither smaller nor greater
 * than anything.
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
  return isNumeric(a) && isNumeric(b) ? orderOfNumbers(a, b) === 0 : a === b;
}

function contains(whole: unknown, part: unknown): boolean {
  if (whole === undefined || part === undefined) return false;
  if (Array.isArray(whole)) return whole.some((item) => equal(item, part));
  if (typeof whole === "string") return whole.includes(printed(part));
  throw new IncomparableError(`contains needs a text or a list, not ${withArticle(whole)}`);
}

/** What is looked for in a text: what a tag would print. */
function printed(part: unknown): string {
  const text = Array.isArray(part) ? undefined : printValue(part).text;
  if (text !== undefined) return text;
  throw new IncomparableError(`contains cannot look for ${withArticle(part)} in a text`);
}

function orderOf(left: unknown, right: unknown): number {
  const [a, b] = aligned(left, right);
  if (isNumeric(a) && isNumeric(b)) return orderOfNumbers(a, b);
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  throw new IncomparableError(
    `${withArticle(left)} and ${withArticle(right)} have no order between them`,
  );
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** NaN when one of them is: then they are neither equal nor in any order. */
function orderOfNumbers(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : 0;
}

/** Both sides as numbers when one is a number and the other one spells one, or when both are dates. */
function aligned(left: unknown, right: unknown): [unknown, unknown] {
  if (left instanceof Date && right instanceof Date) return [left.getTime(), right.getTime()];
  if (isNumeric(left) && typeof right === "string") return [left, spelledNumber(right, left)];
  if (isNumeric(right) && typeof left === "string") return [spelledNumber(left, right), right];
  return [left, right];
}

/** The number that a text spells, as exact as the number it is compared with; else the text. */
function spelledNumber(text: string, other: number | bigint): number | bigint | string {
  if (!DECIMAL.test(text)) return text;
  return typeof other === "number" || text.includes(".") ? Number(text) : BigInt(text.trim());
}

/** The kind of a value as a message names it: "a text", "an object". */
export function withArticle(value: unknown): string {
  const kind = kindOf(value);
  return /^[aeio]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}
