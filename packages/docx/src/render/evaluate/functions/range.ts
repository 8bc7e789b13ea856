import { decimalText, toDecimal } from "../../../format/decimal.ts";
import { EvaluationError } from "../compare/compare.ts";
import type { Environment } from "../context/scope.ts";
import { wholeNumberIn } from "./whole-number.ts";

/** Maximum number of elements of a list of numbers. */
const MAX_ELEMENTS = 10_000;

/**
 * Returns the whole numbers from 1 to a number or, with two numbers, from the first to the second one; undefined if the
 * second one is missing. Throws {@link EvaluationError} for other values.
 */
export function range(
  first: unknown,
  given: readonly unknown[],
  { spend }: Pick<Environment, "spend">,
): readonly number[] | undefined {
  const [second] = given;
  const isCount = given.length === 0;
  if (!isCount && second === undefined) return undefined;
  const [from, to] = isCount ? [1, countIn(first)] : [wholeIn(first, 0), wholeIn(second, 1)];
  const length = Math.max(to - from + 1, 0);
  if (length > MAX_ELEMENTS) {
    throw Object.assign(new EvaluationError("$range would make more than 10,000 numbers"), {
      argument: isCount ? 0 : 1,
    });
  }
  spend(length);
  return Array.from({ length }, (_, index) => from + index);
}

/** Returns the number of elements. */
function countIn(value: unknown): number {
  return checked(value, 0, { least: 0, needed: "a whole number from 0" });
}

function wholeIn(value: unknown, argument: number): number {
  return checked(value, argument, { least: Number.MIN_SAFE_INTEGER, needed: "a whole number" });
}

function checked(
  value: unknown,
  argument: number,
  allowed: { readonly least: number; readonly needed: string },
): number {
  try {
    return wholeNumberIn(value, { name: "$range", argument, ...allowed });
  } catch (error) {
    if (error instanceof EvaluationError) {
      error.hintOf = (written) => hintFor(value, written);
    }
    throw error;
  }
}

/** `written`: the argument, as the tag names it. */
function hintFor(value: unknown, written: string): string {
  if (Array.isArray(value)) return "A list needs no range: repeat it, as in {{for i in items}}.";
  const number = toDecimal(value);
  if (typeof value === "string")
    return "The value is text that is not a number: put a number into the data.";
  if (number === null) return "Name a number, as in $range(copies).";
  return decimalText(number).startsWith("-")
    ? `For no elements in this case, write $range([${written}, 0].max()). For numbers below zero, write the first and the last one: $range(-2, 3).`
    : `Round it: write ${written}.round() in place of ${written}.`;
}
