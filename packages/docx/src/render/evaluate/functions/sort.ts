import { compareDecimals, type Decimal, toDecimal } from "../../../format/decimal.ts";
import { createCache, remember } from "../../../format/remember.ts";
import { doubtfulKey } from "../../../language/formatted/order.ts";
import type { Expression } from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { EvaluationError } from "../compare/compare.ts";
import { timesOfDates } from "../compare/compare-texts.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { notePositionNumbers } from "../doubts/position-numbers.ts";
import { noteTextsInOrder } from "../doubts/text-numbers.ts";
import { hintForKinds, noteTexts } from "./sort-doubts.ts";
import { isTimeOfDay } from "./times.ts";

/** The values of one key for all items, and the direction. */
export interface SortKey {
  readonly values: readonly unknown[];
  readonly descending: boolean;
  /** The key as the tag has it. Absent for the items themselves. */
  readonly by?: Expression;
}

/** For each item, its place in the order of a key, from the lowest. Infinity for a missing value, which comes last. */
type Places = Float64Array;

/** Number of characters of a key read per step. */
const CHARACTERS = 64;

/** Number of comparisons per step. */
const COMPARISONS = 2;

/**
 * Returns the indexes of a list in the order of its keys. Numbers and numeric strings are ordered by size, dates by
 * time, `false` before `true`, and other strings by the rules of the locale, with their digits as numbers. Missing
 * values come last. Items with equal keys keep their order. `onlyDates`: whether all keys must be dates. `of`: the list as
 * the tag names it. Throws {@link EvaluationError} for keys that have no common order.
 */
export function orderOf(
  list: readonly unknown[],
  keys: readonly SortKey[],
  env: Evaluation,
  { onlyDates = false, of = null }: Partial<Pick<Sorting, "onlyDates" | "of">> = {},
): readonly number[] {
  const columns = keys.map((key, at) => {
    const sortBy = (meant: string): string => sortedBy(keys, at, meant);
    return placesOf(key, { list, of, env, onlyDates, by: key.by ?? null, sortBy });
  });
  const indexes = list.map((_item, index) => index);
  env.spend((list.length * Math.ceil(Math.log2(list.length + 1)) * keys.length) / COMPARISONS);
  return indexes.sort((one, other) => {
    for (const places of columns) {
      // Two missing values give NaN, which counts as no difference.
      const difference = (places[one] ?? 0) - (places[other] ?? 0);
      if (difference) return difference;
    }
    return one - other;
  });
}

/** Returns the call of `sort` with another key in place of the one at an index. */
function sortedBy(keys: readonly SortKey[], index: number, meant: string): string {
  const all = keys.map(({ by, descending }, at) => {
    const key = at === index ? meant : by === undefined ? "this" : spellExpression(by);
    return descending ? `${key} desc` : key;
  });
  return `sort(${all.join(", ")})`;
}

/** What the order of the values of one key depends on. */
interface Sorting {
  /** The items, and the expression that they come from, for messages. */
  readonly list: readonly unknown[];
  readonly of: Expression | null;
  readonly env: Evaluation;
  readonly onlyDates: boolean;
  /** The key. Null for the items themselves. */
  readonly by: Expression | null;
  /** Returns the call with another key in place of this one, for hints. */
  readonly sortBy: (meant: string) => string;
}

function placesOf({ values, descending }: SortKey, sorting: Sorting): Places {
  const places = placesOfKind(values, sorting);
  for (const [index, value] of values.entries()) {
    if (isMissing(value)) places[index] = Number.POSITIVE_INFINITY;
    else if (descending) places[index] = -(places[index] ?? 0);
  }
  return places;
}

function isTime(value: unknown): value is Date {
  return value instanceof Date && !Number.isNaN(value.getTime());
}

/** Empty text counts as missing, as in spreadsheets and forms. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** Returns the places of present values. All of them must be of one kind. */
function placesOfKind(values: readonly unknown[], sorting: Sorting): Places {
  const { env } = sorting;
  const present = values.filter((value) => !isMissing(value));
  for (const value of present) if (typeof value === "string") env.spend(value.length / CHARACTERS);
  const numbers = values.map(toDecimal);
  if (values.every((value, index) => isMissing(value) || numbers[index] !== null)) {
    if (!sorting.onlyDates) {
      notePositionNumbers(values, sorting.by, env, sorting.sortBy);
      noteTextsInOrder(values, sorting.by, env, sorting.sortBy);
    }
    return byNumber(numbers);
  }
  if (present.every((value) => typeof value === "boolean")) {
    return Float64Array.from(values, Number);
  }
  const texts = values.map((value) => {
    if (isMissing(value)) return undefined;
    return isTime(value) ? value.toISOString() : value;
  });
  if (texts.every((value) => value === undefined || typeof value === "string")) {
    return byText(texts as readonly (string | undefined)[], sorting);
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
    { argument: 0, element: odd, hint: hintForKinds(values[odd], isAny, sorting) },
  );
}

function byNumber(numbers: readonly (Decimal | null)[]): Places {
  // Numbers of JavaScript are exact for this many digits.
  const isShort = numbers.every(
    (number) => number === null || (number.c.length <= 15 && Math.abs(number.e) < 300),
  );
  if (isShort) {
    return Float64Array.from(numbers, (number) =>
      number === null ? 0 : Number(number.toString()),
    );
  }
  return ranksOf(numbers);
}

/** Returns the ranks of numbers by size: equal ones have the same rank. Missing ones have none. */
function ranksOf(numbers: readonly (Decimal | null)[]): Places {
  const ranks = new Float64Array(numbers.length);
  const present = [...numbers.entries()].flatMap(([index, number]) => {
    return number === null ? [] : [{ index, number }];
  });
  present.sort((one, other) => compareDecimals(one.number, other.number));
  let rank = 0;
  for (const [at, { index, number }] of present.entries()) {
    const before = present[at - 1];
    if (before !== undefined && compareDecimals(before.number, number) !== 0) rank += 1;
    ranks[index] = rank;
  }
  return ranks;
}

function byText(
  texts: readonly (string | undefined)[],
  { list, of, by, env, onlyDates, sortBy }: Sorting,
): Places {
  const times = timesOfDates(texts, env.timeZone);
  if (times === "unclear") {
    throw Object.assign(
      new EvaluationError("dates such as 3/4/2026 may start with the day or the month"),
      {
        argument: 0,
        hint:
          (by === null || of === null ? null : doubtfulKey(by, of)?.[1]) ??
          `Write dates as 2026-11-20, or name their form, as in ${sortBy(`${by === null ? "this" : spellExpression(by)}.toDate("MM/dd/yyyy")`)}.`,
      },
    );
  }
  if (times !== null) return Float64Array.from(times);
  if (onlyDates) {
    throw Object.assign(
      new EvaluationError("$min and $max need numbers or dates, but got text that is neither"),
      {
        argument: 0,
        element: texts.findIndex((text) => text !== undefined),
        hint: texts.every((text) => text === undefined || isTimeOfDay(text))
          ? "For times such as 09:00 write items.sort(start).first().start, and last() for the latest."
          : 'For numbers such as 1.200,50 write items.max(price.toNumber(",")), and for dates in another form items.max(due.toDate("MM/dd/yyyy")).',
      },
    );
  }
  const ranks = ranksOfTexts(texts, collatorOf(env.locale));
  noteTexts({ texts, ranks, list, of, by, sortBy }, env);
  return ranks;
}

/**
 * Returns the ranks of texts by the rules of a locale. Asking the collator is slow, so each text is ranked once, and the
 * texts are first put into a similar order by their characters: nearly in order, they need few comparisons.
 */
function ranksOfTexts(texts: readonly (string | undefined)[], { compare }: Intl.Collator): Places {
  const known = new Map<string, number>();
  const numbers = texts.map((text = "") => {
    const number = known.get(text) ?? known.size;
    if (number === known.size) known.set(text, number);
    return number;
  });
  const unique = [...known.keys()];
  const similar = unique.map(spelledAlike);
  const order = [...unique.keys()].sort((one, other) => {
    const [a = "", b = ""] = [similar[one], similar[other]];
    return a < b ? -1 : Number(a > b);
  });
  order.sort((one, other) => {
    const [a = "", b = ""] = [unique[one], unique[other]];
    return compare(a, b) || (a < b ? -1 : 1);
  });
  const ranks = new Float64Array(unique.length);
  for (const [rank, number] of order.entries()) ranks[number] = rank;
  return Float64Array.from(numbers, (number) => ranks[number] ?? 0);
}

/** Returns a text in small letters, with the length of each number before it: then `9` comes before `10`. */
function spelledAlike(text: string): string {
  return text.toLowerCase().replace(/\d+/g, (digits) => {
    return String.fromCharCode(0x30 + Math.min(digits.length, 0xff)) + digits;
  });
}

const collators = createCache<Intl.Collator>();

/** A locale without data falls back to English, never to the language of the process. */
function collatorOf(locale: string): Intl.Collator {
  return remember(collators, locale, () => {
    return new Intl.Collator([locale, "en-US"], { numeric: true });
  });
}
