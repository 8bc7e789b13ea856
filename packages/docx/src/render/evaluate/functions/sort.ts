import { compareDecimals, type Decimal, toDecimal } from "../../../format/decimal.ts";
import { createCache, remember } from "../../../format/remember.ts";
import { EvaluationError } from "../compare.ts";
import { timesOfDates } from "../compare-texts.ts";
import type { Evaluation } from "../evaluation.ts";

/** The values of one key for all items, and the direction. */
export interface SortKey {
  readonly values: readonly unknown[];
  readonly descending: boolean;
}

/** Compares two items by their indexes. */
type Order = (one: number, other: number) => number;

/** Number of characters of a key read per step. */
const CHARACTERS = 64;

/** Number of comparisons per step. */
const COMPARISONS = 2;

/**
 * Returns the indexes of a list in the order of its keys. Numbers and numeric strings are ordered by size, dates by
 * time, `false` before `true`, and other strings by the rules of the locale, with their digits as numbers. Missing
 * values come last. Items with equal keys keep their order. `onlyDates`: whether all keys must be dates. Throws
 * {@link EvaluationError} for keys that have no common order.
 */
export function orderOf(
  list: readonly unknown[],
  keys: readonly SortKey[],
  env: Evaluation,
  onlyDates = false,
): readonly number[] {
  const orders = keys.map((key) => orderBy(key, env, onlyDates));
  const indexes = list.map((_item, index) => index);
  env.spend((list.length * Math.ceil(Math.log2(list.length + 1)) * keys.length) / COMPARISONS);
  return indexes.sort((one, other) => {
    for (const order of orders) {
      const difference = order(one, other);
      if (difference !== 0) return difference;
    }
    return one - other;
  });
}

function orderBy({ values, descending }: SortKey, env: Evaluation, onlyDates: boolean): Order {
  const order = orderOfKind(values, env, onlyDates);
  const sign = descending ? -1 : 1;
  return (one, other) => {
    const [a, b] = [isMissing(values[one]), isMissing(values[other])];
    if (a || b) return Number(a) - Number(b);
    return sign * order(one, other);
  };
}

function isTime(value: unknown): value is Date {
  return value instanceof Date && !Number.isNaN(value.getTime());
}

/** Empty text counts as missing, as in spreadsheets and forms. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** Returns the order of present values. All of them must be of one kind. */
function orderOfKind(values: readonly unknown[], env: Evaluation, onlyDates: boolean): Order {
  const present = values.filter((value) => !isMissing(value));
  for (const value of present) if (typeof value === "string") env.spend(value.length / CHARACTERS);
  const numbers = values.map(toDecimal);
  if (values.every((value, index) => isMissing(value) || numbers[index] !== null)) {
    return byNumber(numbers);
  }
  if (present.every((value) => typeof value === "boolean")) {
    return (one, other) => Number(values[one]) - Number(values[other]);
  }
  const texts = values.map((value) => {
    if (isMissing(value)) return undefined;
    return isTime(value) ? value.toISOString() : value;
  });
  if (texts.every((value) => value === undefined || typeof value === "string")) {
    return byText(texts as readonly (string | undefined)[], env, onlyDates);
  }
  const isAny = numbers.some((number) => number !== null);
  const odd = values.findIndex(
    (value, index) =>
      !isMissing(value) && (isAny ? numbers[index] === null : typeof value !== "string"),
  );
  throw Object.assign(
    new EvaluationError(
      "the keys are of different kinds, or one of them is not text, a number or a date",
    ),
    { argument: 0, element: odd, hint: "Give all items a key of the same kind." },
  );
}

function byNumber(numbers: readonly (Decimal | null)[]): Order {
  // Comparing numbers of JavaScript is faster, and exact for numbers of this size.
  const isShort = numbers.every(
    (number) => number === null || (number.c.length <= 15 && Math.abs(number.e) < 300),
  );
  if (isShort) {
    const plain = numbers.map((number) => (number === null ? 0 : Number(number.toString())));
    return (one, other) => (plain[one] ?? 0) - (plain[other] ?? 0);
  }
  return (one, other) => {
    const [a, b] = [numbers[one], numbers[other]];
    return a && b ? compareDecimals(a, b) : 0;
  };
}

function byText(
  texts: readonly (string | undefined)[],
  env: Evaluation,
  onlyDates: boolean,
): Order {
  const times = timesOfDates(texts, env.timeZone);
  if (times === "unclear") {
    throw Object.assign(
      new EvaluationError("dates such as 3/4/2026 may start with the day or the month"),
      { argument: 0, hint: "Write dates as 2026-11-20." },
    );
  }
  if (times !== null) return (one, other) => (times[one] ?? 0) - (times[other] ?? 0);
  if (onlyDates) {
    throw Object.assign(
      new EvaluationError("$min and $max need numbers or dates, but got text that is neither"),
      { argument: 0, element: texts.findIndex((text) => text !== undefined) },
    );
  }
  const { compare } = collatorOf(env.locale);
  return (one, other) => {
    const [a, b] = [texts[one] ?? "", texts[other] ?? ""];
    return compare(a, b) || (a < b ? -1 : Number(a > b));
  };
}

const collators = createCache<Intl.Collator>();

/** A locale without data falls back to English, never to the language of the process. */
function collatorOf(locale: string): Intl.Collator {
  return remember(collators, locale, () => {
    return new Intl.Collator([locale, "en-US"], { numeric: true });
  });
}
