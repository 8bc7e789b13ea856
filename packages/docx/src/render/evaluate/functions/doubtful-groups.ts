import { toDecimal } from "../../../format/decimal.ts";
import { type Wording, withTags } from "../../../language/delimiters/wording.ts";
import {
  allOf,
  type CallExpression,
  type Expression,
} from "../../../language/grammar/expression.ts";
import type { FunctionName } from "../../../language/grammar/functions.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { written } from "../../../language/literal-conditions.ts";
import type { Evaluation } from "../context/evaluation.ts";

/** Number of keys that are compared with each other. */
const MAX_KEYS = 1_000;

/**
 * Records groups that are probably one: keys that differ only in uppercase letters or spaces, and times of the same
 * day. `keys`: the different keys of the groups. `count`: the number of items.
 */
export function noteAlike(
  call: CallExpression,
  keys: readonly unknown[],
  count: number,
  env: Evaluation,
): void {
  const seen = new Map<string, string>();
  // Items with the same time are meant to be together.
  const isByTime = call.name === "$group" && keys.length === count;
  for (const key of keys.slice(0, MAX_KEYS)) {
    if (typeof key !== "string" || key.length > MAX_KEYS) continue;
    const time = /^(\d{4}-\d\d-\d\d)[T ]\d\d:/.exec(key)?.[1];
    if (time !== undefined && !isByTime) return;
    const plain = time ?? key.trim().replace(/\s+/g, " ").toLowerCase();
    if (!seen.has(plain)) {
      seen.set(plain, key);
      continue;
    }
    const what = time === undefined ? "uppercase letters or spaces" : "the time of the day";
    const isSpaced = seen.get(plain)?.trim() === key.trim();
    const difference = time !== undefined ? "times" : isSpaced ? "spaces" : "letters";
    push(env, call, {
      message: `keys that differ only in ${what} are different groups`,
      hint: oneGroup(call, difference),
    });
    return;
  }
}

/** Returns the hint for keys of one group that differ in these things. */
function oneGroup(call: CallExpression, difference: "times" | "spaces" | "letters"): Wording {
  const [of, by] = call.arguments;
  const name = by === undefined ? "this" : (written(by) ?? "city");
  const list = (of === undefined ? null : written(of)) ?? "items";
  const form = {
    times: `${name}.startOfDay()`,
    spaces: `${name}.trim()`,
    letters: `${name}.trim().lowercase()`,
  }[difference];
  const isLowered = difference === "letters" && call.name === "$group" && by?.kind === "path";
  const printed = isLowered
    ? withTags`, and print {{g.items[0].${name}}} in place of {{g.key}}`
    : "";
  return withTags`Write them in the same way in the data, or ${list}.${call.name.slice(1)}(${form})${printed}.`;
}

/** What takes the place of a part of a date, so that the same part of another year is another group. */
const WITH_YEAR: Readonly<Record<string, (date: string) => string>> = {
  $month: (date) => `${date}.startOfMonth()`,
  $week: (date) => `${date}.startOfWeek()`,
  $quarter: (date) => `$concat(${date}.year(), "/", ${date}.quarter())`,
};

/**
 * Records groups by the month of several years. `dateOf` returns the value of an expression for an item. `groups`: the
 * indexes of the items of each group.
 */
export function noteYears(
  call: CallExpression,
  groups: readonly (readonly number[])[],
  dateOf: (date: Expression, index: number) => unknown,
  env: Evaluation,
): void {
  const by = call.arguments[1];
  const part = partOf(by);
  const form = part === null ? undefined : WITH_YEAR[part];
  const date = by?.kind === "call" ? by.arguments[0] : undefined;
  if (part === null || form === undefined || date?.kind !== "path") return;
  if (sortsBy(part, call.arguments[0])) return;
  const yearOf = (index: number): string | undefined => yearIn(dateOf(date, index));
  const isMixed = groups.some((indexes) => new Set(spread(indexes).map(yearOf)).size > 1);
  if (!isMixed) return;
  const isText = by?.kind === "call" && by.name === "$format";
  const printed = isText ? withTags`, and print {{g.key :: format("MMMM yyyy")}}` : "";
  push(env, call, {
    message: "dates of several years are in one group",
    hint: withTags`For groups of each year write group(${form(date.source)})${printed}. If the years belong together, as for birthdays, sort the list first, by sort(${date.source}.${part.slice(1)}(), ${date.source}.day()).`,
  });
}

/** Returns the function for the part of a date that a key is. `format("MMMM")` prints the name of the month. */
function partOf(by: Expression | undefined): FunctionName | null {
  if (by?.kind !== "call") return null;
  if (by.name !== "$format") return by.name;
  const [, pattern] = by.arguments;
  const isMonth = pattern?.kind === "literal" && /^M+$/.test(String(pattern.value));
  return isMonth ? "$month" : null;
}

/**
 * Records groups of `(t / 10).round(0, "down")` with numbers above and below zero. `valueAt` returns the value of an
 * expression for an item. `groups`: the indexes of the items of each group.
 */
export function noteTowardZero(
  call: CallExpression,
  groups: readonly (readonly number[])[],
  valueAt: (expression: Expression, index: number) => unknown,
  env: Evaluation,
): void {
  const by = call.arguments[1];
  const rounded = by === undefined ? undefined : allOf(by).find(isRoundedDown);
  const of = rounded?.kind === "call" ? rounded.arguments[0] : undefined;
  if (rounded?.kind !== "call" || of === undefined) return;
  const isMixed = groups.some((indexes) => {
    const signs = new Set(
      indexes.slice(0, MAX_KEYS).map((index) => toDecimal(valueAt(of, index))?.s ?? 0),
    );
    return signs.has(-1) && signs.has(1);
  });
  if (!isMixed) return;
  const meant = spellExpression({
    ...rounded,
    arguments: [...rounded.arguments.slice(0, 2), { kind: "literal", value: "floor" }],
  });
  push(env, call, {
    message: "numbers above and below zero are in one group",
    hint: `"down" rounds towards zero. For bands of the same width write ${meant}.`,
  });
}

function isRoundedDown(each: Expression): boolean {
  const mode = each.kind === "call" && each.name === "$round" ? each.arguments[2] : undefined;
  return mode?.kind === "literal" && mode.value === "down";
}

/** Records a list of several years that is sorted by the month only. Names of birthdays mean the month. */
export function noteSortedYears(
  call: CallExpression,
  indexes: readonly number[],
  dateOf: (date: Expression, index: number) => unknown,
  env: Evaluation,
): void {
  const [of, by, more] = call.arguments;
  const isPart = by?.kind === "call" && Object.hasOwn(WITH_YEAR, by.name);
  const date = isPart ? by.arguments[0] : undefined;
  if (more !== undefined || date?.kind !== "path" || BIRTH.test(date.source)) return;
  const years = new Set(spread(indexes).map((index) => yearIn(dateOf(date, index))));
  years.delete(undefined);
  if (years.size < 2) return;
  const list = (of === undefined ? null : written(of)) ?? "items";
  push(env, call, {
    message: "dates of several years are mixed in the order",
    hint: `For the order of time write ${list}.sort(${date.source}).`,
  });
}

const BIRTH = /birth|born|geb|annivers|jubil/i;

function yearIn(date: unknown): string | undefined {
  return /^(\d{4})-\d\d-\d\d/.exec(String(date))?.[1];
}

/** Whether a list is sorted by the month, as for birthdays: then the years are not meant to be apart. */
function sortsBy(part: CallExpression["name"], list: Expression | undefined): boolean {
  if (list?.kind !== "call") return false;
  const [of, ...keys] = list.arguments;
  const isOwn = keys.some((key) => key.kind === "call" && key.name === part);
  return (list.name === "$sort" && isOwn) || sortsBy(part, of);
}

/** Returns some elements from the whole list: items are often in the order of their dates. */
function spread(list: readonly number[]): readonly number[] {
  const step = Math.max(1, (list.length - 1) / MAX_DATES);
  const indexes: number[] = [];
  for (let at = 0; at < list.length; at += step) indexes.push(list[Math.floor(at)] ?? 0);
  return indexes;
}

/** Number of dates of a group whose years are compared. */
const MAX_DATES = 16;

function push(
  env: Evaluation,
  call: CallExpression,
  { message, hint }: { readonly message: string; readonly hint: Wording },
): void {
  env.doubts.push({
    code: "doubtful_group",
    message: (tag) => `In the tag ${tag}, ${message} of '${call.name.slice(1)}'.`,
    hint,
    pointers: [],
    isMissing: false,
  });
}
