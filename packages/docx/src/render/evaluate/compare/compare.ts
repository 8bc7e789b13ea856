import { compareDecimals, isDecimal, isZero, toDecimal } from "../../../format/decimal.ts";
import { elementsOf } from "../../../format/elements.ts";
import { kindOf, printValue } from "../../../format/print.ts";
import type { Comparison } from "../../../language/grammar/expression.ts";
import { hasUnit, numberMeant } from "../../../language/mistakes/number-texts.ts";
import {
  containsOtherCase,
  hasWords,
  isPartOfDate,
  isSameInOtherForm,
  isSameUnpadded,
  isWildcard,
  isWildcardIn,
  looksContained,
  looksEqual,
} from "./compare-looks.ts";
import {
  lettersOfSizes,
  orderOfTexts,
  sameSize,
  type TextDoubt,
  unclearDates,
} from "./compare-texts.ts";
import { containsText } from "./search.ts";

/** A computation with incompatible values. The message completes "… cannot be computed: …". */
export class EvaluationError extends Error {
  /** The JSON Pointer to the incompatible value. Absent until it is known. */
  pointer?: string;
  /** How to correct it. Absent if the message says enough. */
  hint?: string;
  /** Returns the hint, given the incompatible argument and the value that the function is called on, as written. */
  hintOf?: (argument: string, of: string) => string;
  /**
   * For a function: the index of the incompatible argument and, if that is a list, the index of the element. Both
   * count from 0.
   */
  argument?: number;
  element?: number;
  /** Whether the only problem is a missing value, which a fallback can replace. */
  isMissing?: boolean;
}

/**
 * Compares numbers by size and dates by time. Two strings are equal if all their characters are equal. Two strings with
 * numbers or dates are ordered by size or time, all others by their letters. A string with a decimal number equals that
 * number, and the strings `true` and `false` equal the booleans, because CSV and forms contain only strings. A date is
 * compared with a string as the same instant in ISO 8601. A missing value equals only another missing value, and is
 * neither smaller nor greater than anything. `timeZone` applies when an instant is compared with a date without an
 * offset. Throws {@link EvaluationError} for values without an order, such as a list and a number.
 */
export function compare(
  operator: Comparison,
  left: unknown,
  right: unknown,
  timeZone: string,
): boolean {
  switch (operator) {
    case "==":
      return equal(left, right);
    case "!=":
      return !equal(left, right);
    case "contains":
      return contains(left, right);
  }
  if (left === undefined || right === undefined) return false;
  const order = orderOf(left, right, timeZone);
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

/**
 * Why a comparison may be a mistake: a {@link TextDoubt}, or one of these. `look` means that two strings look alike but
 * are not equal. `dayEnd`: a time is later than the day that it is on. `figures` means that a number is compared with a string of digits that is not a number. `truth` means
 * that `true` or `false` is compared with a string or number of the same meaning. `datePart`: a date is compared with
 * one without a day. `caseIn` and `inElement`: text that is searched for is there in other letters, or only within an
 * element of the list.
 */
export type ComparisonDoubt =
  | TextDoubt
  | ("look" | "figures" | "truth" | "case" | "time")
  | ("dayEnd" | "datePart" | "wildcard" | "caseIn" | "inElement");

/** Returns why {@link compare} may be wrong about two values, or null if there is no doubt. */
export function doubtOf(
  operator: Comparison,
  left: unknown,
  right: unknown,
  timeZone: string,
): ComparisonDoubt | null {
  if (operator === "contains") return doubtIn(left, right, timeZone);
  const [a, b] = [spelled(left, right), spelled(right, left)];
  const isLookup = operator === "==" || operator === "!=";
  if (typeof a !== "string" || typeof b !== "string") {
    return isLookup ? (mixedDoubt(left, right) ?? mixedDoubt(right, left)) : null;
  }
  if (!isLookup) return lettersOfSizes(a, b, timeZone) ?? lateOnDay(operator, a, b);
  if (a === b) return null;
  if (typeof left === "boolean" || typeof right === "boolean") {
    return truthIn(a) === truthIn(b) && truthIn(a) !== null ? "truth" : null;
  }
  return sameSize(a, b, timeZone) ?? sameDate(a, b) ?? sameText(a, b);
}

function sameDate(a: string, b: string): ComparisonDoubt | null {
  if (isSameDay(a, b)) return "time";
  if (isSameUnpadded(a, b) || isSameInOtherForm(a, b)) return "date";
  return isPartOfDate(a, b) ? "datePart" : null;
}

function sameText(a: string, b: string): ComparisonDoubt | null {
  if (looksEqual(a, b)) return "look";
  if (isOtherCase(a, b)) return "case";
  return isWildcard(a, b) || isWildcard(b, a) ? "wildcard" : null;
}

/** Whether one text is a date and the other one the same date with a time. */
function isSameDay(a: string, b: string): boolean {
  const [date, time] = a.length < b.length ? [a, b] : [b, a];
  return (
    /^\d{4}-\d\d-\d\d$/.test(date) && /^[T ]\d\d:/.test(time.slice(10)) && time.startsWith(date)
  );
}

/** `d <= to` and `d > to` for a time on the day `to`, which is midnight: the time is later. */
function lateOnDay(operator: Comparison, a: string, b: string): ComparisonDoubt | null {
  if (!isSameDay(a, b)) return null;
  const isMidnight = /[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:?\d\d)?$/.test(
    a.length < b.length ? b : a,
  );
  const isTurned = a.length < b.length;
  const asks = isTurned ? /^(?:>=|<)$/ : /^(?:<=|>)$/;
  return !isMidnight && asks.test(operator) ? "dayEnd" : null;
}

/** Whether two texts differ only in upper and lower case. */
function isOtherCase(a: string, b: string): boolean {
  return a.length === b.length && a.length <= MAX_FIGURES && a.toLowerCase() === b.toLowerCase();
}

const TRUE = /^\s*(?:true|yes|y|on|1)\s*$/i;
const FALSE = /^\s*(?:false|no|n|off|0)\s*$/i;
/** Matches strings such as `1,000`, `5 %` and `€ 5`. */
const FIGURES = /^[^\p{L}]*\d[^\p{L}]*$/u;

function truthIn(text: string): boolean | null {
  if (TRUE.test(text)) return true;
  return FALSE.test(text) ? false : null;
}

function mixedDoubt(one: unknown, other: unknown): ComparisonDoubt | null {
  if (!isNumeric(one)) return null;
  if (typeof other === "boolean") return truthIn(String(one)) === other ? "truth" : null;
  const isText = typeof other === "string" && other.length <= MAX_FIGURES;
  const isFigure = isText && FIGURES.test(other) && toDecimal(other) === null;
  return isFigure || (isText && hasUnit(other)) ? "figures" : null;
}

/** Longer strings are certainly not numbers. */
const MAX_FIGURES = 100;

/**
 * Returns the doubt if a string or a list contains a part only in another spelling, or null if it contains the part
 * itself.
 */
function doubtIn(whole: unknown, part: unknown, timeZone: string): ComparisonDoubt | null {
  if (typeof whole === "string" && typeof part === "string") {
    if (looksContained(whole, part)) return "look";
    if (isWildcardIn(whole, part)) return "wildcard";
    return containsOtherCase(whole, part) ? "caseIn" : null;
  }
  if (!Array.isArray(whole)) return null;
  let doubt: ComparisonDoubt | null = null;
  for (const item of elementsOf(whole)) {
    if (equal(item, part)) return null;
    doubt ??= doubtOf("==", item, part, timeZone) ?? withinElement(item, part);
  }
  return doubt;
}

function withinElement(element: unknown, part: unknown): ComparisonDoubt | null {
  const areTexts = typeof element === "string" && typeof part === "string";
  return areTexts && hasWords(element, part) ? "inElement" : null;
}

function equal(left: unknown, right: unknown): boolean {
  if (left instanceof Date && right instanceof Date) return left.getTime() === right.getTime();
  if (isNumeric(left) || isNumeric(right)) return orderOfNumbers(left, right) === 0;
  return spelled(left, right) === spelled(right, left);
}

/** Converts a boolean or a date to text if the other side is a string. */
function spelled(value: unknown, other: unknown): unknown {
  if (typeof other !== "string") return value;
  if (typeof value === "boolean") return String(value);
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : value;
}

function contains(whole: unknown, part: unknown): boolean {
  if (whole === undefined || part === undefined) return false;
  if (Array.isArray(whole)) return whole.some((item) => equal(item, part));
  if (typeof whole === "string") return containsText(whole, printed(part));
  const error = new EvaluationError(
    `'contains' and 'in' need text or a list, not ${withArticle(whole)}`,
  );
  if (kindOf(whole) === "object") {
    error.hint = "For the keys of an object write entries(), as in prices.entries().map(key).";
  }
  throw error;
}

/** Returns the text to search for, as a tag would print it. */
function printed(part: unknown): string {
  const text = Array.isArray(part) ? undefined : printValue(part).text;
  if (text !== undefined) return text;
  throw new EvaluationError(`'contains' cannot look for ${withArticle(part)} in text`);
}

function orderOf(left: unknown, right: unknown, timeZone: string): number {
  if (left instanceof Date && right instanceof Date) return left.getTime() - right.getTime();
  const [a, b] = [spelled(left, right), spelled(right, left)];
  if (typeof a === "string" && typeof b === "string") return orderOfSpelled(a, b, timeZone);
  const order = isNumeric(left) || isNumeric(right) ? orderOfNumbers(left, right) : null;
  if (order !== null) return order;
  const error = new EvaluationError(
    `${withArticle(left)} and ${withArticle(right)} cannot be ordered`,
  );
  const text = [left, right].find((value) => typeof value === "string");
  if (text !== undefined && (isNumeric(left) || isNumeric(right))) {
    error.hint = /^\d{4}-\d\d-\d\d/.test(text)
      ? 'The text is a date: compare it with a date in quotes, such as "2026-01-31", or its year, date.year(), with a number.'
      : `The text is not a number. ${numberMeant(text, null)}`;
  }
  if (kindOf(left) === "object" || kindOf(right) === "object") {
    error.hint = "Name the value of the object that counts, as in this.price for its key 'price'.";
  }
  throw error;
}

function orderOfSpelled(a: string, b: string, timeZone: string): number {
  const order = orderOfTexts(a, b, timeZone);
  if (order !== "unclear") return order;
  throw new EvaluationError(unclearDates(a, b));
}

function isNumeric(value: unknown): boolean {
  return typeof value === "number" || typeof value === "bigint" || isDecimal(value);
}

/** Returns the order of two numbers or numeric strings, NaN if a value is NaN, or null if a value is not numeric. */
function orderOfNumbers(left: unknown, right: unknown): number | null {
  if (typeof left === "number" && typeof right === "number" && Number.isFinite(left - right)) {
    return left - right;
  }
  if (Number.isNaN(left) || Number.isNaN(right)) return Number.NaN;
  const a = toDecimal(left);
  const b = toDecimal(right);
  if (a !== null && b !== null) return compareDecimals(a, b);
  // JSON may contain numbers such as 1e999, which become infinite and have no digits.
  const infinite = [infinityOf(left), infinityOf(right)] as const;
  const known = (a !== null || infinite[0] !== 0) && (b !== null || infinite[1] !== 0);
  return known ? infinite[0] - infinite[1] : null;
}

/** Returns 1 or -1 for an infinite value, and 0 for anything else. */
function infinityOf(value: unknown): number {
  if (value === Number.POSITIVE_INFINITY) return 1;
  return value === Number.NEGATIVE_INFINITY ? -1 : 0;
}

/** Returns the kind of a value, as in messages: "text", "a number", "an object". */
export function withArticle(value: unknown): string {
  const kind = kindOf(value);
  if (kind === "text") return kind;
  return /^[aeio]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}

/** Whether a value is missing, or is text, a list or an object without content. */
export function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === "" ||
    (Array.isArray(value) && value.length === 0) ||
    (kindOf(value) === "object" && Object.keys(value as object).length === 0)
  );
}

/** Whether a value counts as true. */
export function isTruthy(value: unknown): boolean {
  const zero = value === 0 || value === 0n || (isDecimal(value) && isZero(value));
  const empty = value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
  return value !== false && !zero && !empty && !Number.isNaN(value);
}
