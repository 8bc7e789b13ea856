import { decimalText, toDecimal } from "../../../format/decimal.ts";
import { kindOf } from "../../../format/print.ts";
import type { CallExpression, Expression } from "../../../language/grammar/expression.ts";
import { written } from "../../../language/literal-conditions.ts";
import { EvaluationError, withArticle } from "../compare/compare.ts";
import type { Evaluation, Evaluator } from "../context/evaluation.ts";
import { Group, noteGroups, pick } from "../context/origins.ts";
import { noteEqualElements } from "../doubts/comparisons.ts";
import { noteNumberCondition } from "../doubts/number-conditions.ts";
import { noteOtherCase } from "../doubts/other-letters.ts";
import { noteComparedPosition, noteExtremePosition } from "../doubts/position-numbers.ts";
import { noteTimesOfItems } from "../doubts/whole-hours.ts";
import { settleComparisons } from "../doubts.ts";
import { aggregate, type Names } from "./aggregates.ts";
import { noteAlike, noteSortedYears, noteTowardZero, noteYears } from "./doubtful-groups.ts";
import { ItemScope } from "./item-scope.ts";
import { checkNamedKey, checkSortKeys, hintForGroupKey, listAsKey } from "./object-keys.ts";
import { orderOf, type SortKey } from "./sort.ts";
import { itemCountIn } from "./whole-number.ts";
import { ofObjects } from "./wrong-lists.ts";

/** A list, and the call of a function on it. */
interface ListCall {
  readonly call: CallExpression;
  readonly list: readonly unknown[];
  readonly env: Evaluation;
  readonly by: Evaluator;
  /** The arguments that are evaluated once. Others are undefined. */
  readonly values: readonly unknown[];
}

type ListFunction = (of: ListCall) => unknown;

/** The functions that select, order or group the items of a list, or compute with values of the items. */
export const LIST_FUNCTIONS: Readonly<Partial<Record<CallExpression["name"], ListFunction>>> = {
  $where: (of) => pick(of.list, matching(of)),
  $sort: (of) =>
    pick(of.list, orderOf(of.list, keysOf(of), of.env, { of: of.call.arguments[0] ?? null })),
  $reverse: ({ list }) =>
    pick(
      list,
      list.map((_item, index) => list.length - 1 - index),
    ),
  $limit: (of) => slice(of, 0, itemCountIn(of.values[1], of.call.name)),
  $skip: (of) => slice(of, itemCountIn(of.values[1], of.call.name), of.list.length),
  $distinct: (of) =>
    pick(
      of.list,
      [...grouped(of, valuesOf(of)).values()].map(([first = 0]) => first),
    ),
  $group: groupsOf,
  $map: flattened,
  $nonEmpty: ({ list }) =>
    pick(
      list,
      indexesOf(list).filter((index) => !isEmpty(list[index])),
    ),
  $first: (of) => of.list[firstIndex(of, indexesOf(of.list))],
  $last: (of) => of.list[firstIndex(of, indexesOf(of.list).reverse())],
  $count: (of) => (conditionIn(of) === undefined ? of.list.length : counted(of)),
  $sum: computed,
  $average: computed,
  $min: (of) => extreme(of, false),
  $max: (of) => extreme(of, true),
};

/** Computes one number from the values of the items. */
function computed(of: ListCall): unknown {
  const values = valuesOf(of);
  noteTimesOfItems(of.call, values, () => new ItemScope(of), of.env);
  return aggregate(of.call.name, values, namesIn(of));
}

function groupsOf(of: ListCall): readonly Group[] {
  const keys = valuesOf(of);
  const indexes = [...grouped(of, keys).values()];
  const valueAt = (expression: Expression, index: number): unknown =>
    new ItemScope(of).valueOrMissing(expression, index);
  noteYears(of.call, indexes, valueAt, of.env);
  noteTowardZero(of.call, indexes, valueAt, of.env);
  const groups = indexes.map((each) => new Group(keys[each[0] ?? 0], pick(of.list, each)));
  noteGroups(
    groups,
    of.list,
    indexes.map(([first = 0]) => first),
  );
  return groups;
}

/** Returns the smallest or greatest number, or the earliest or latest date. */
function extreme(of: ListCall, isGreatest: boolean): unknown {
  const values = valuesOf(of);
  const isDates =
    values.some((value) => value !== undefined && value !== null) && !values.some(isNumeric);
  const at = values.findIndex(Array.isArray);
  const [, key] = of.call.arguments;
  if (isDates && at !== -1 && key !== undefined) throw listAsKey(of.call, key, at);
  noteExtremePosition(of, values);
  if (!isDates) return aggregate(of.call.name, values, namesIn(of));
  if (key === undefined && values.some((value) => kindOf(value) === "object")) {
    throw ofObjects(of.call, namesIn(of).list);
  }
  const order = orderOf(values, [{ values, descending: isGreatest }], of.env, { onlyDates: true });
  return values[order[0] ?? 0];
}

function isNumeric(value: unknown): boolean {
  return toDecimal(value) !== null;
}

/** Returns what a function reads from each item, as written; null for a computation. */
function keyIn({ call }: ListCall): string | null {
  const [, item] = call.arguments;
  return item === undefined ? null : written(item);
}

/** Returns the key and the list as written, for messages; null for the result of a function. */
function namesIn(of: ListCall): Names {
  const [list] = of.call.arguments;
  return {
    key: keyIn(of),
    list: list?.kind === "path" ? list.source : null,
    isOfValues: typeof of.list[0] !== "object",
  };
}

function conditionIn({ call }: ListCall): Expression | undefined {
  return call.arguments[1];
}

function indexesOf(list: readonly unknown[]): number[] {
  return list.map((_item, index) => index);
}

/** Returns the indexes of the items for which the condition holds; all of them without a condition. */
function matching(of: ListCall): number[] {
  const condition = conditionIn(of);
  if (condition === undefined) return indexesOf(of.list);
  const scope = new ItemScope(of);
  noteComparedPosition(condition, of.list.length, (by, at) => scope.valueOrMissing(by, at), of.env);
  const found = indexesOf(of.list).filter((index) => scope.holds(condition, index));
  if (found.length === 0) nothingFound(of, condition, scope);
  return found;
}

/** Returns the first of the indexes for which the condition holds, or -1. */
function firstIndex(of: ListCall, indexes: readonly number[]): number {
  const condition = conditionIn(of);
  if (condition === undefined) return indexes[0] ?? -1;
  const scope = new ItemScope(of);
  noteNumberCondition(of.call, of.list.length, scope, of.env);
  const before = of.env.doubts.length;
  for (const index of indexes) {
    if (!scope.holds(condition, index)) continue;
    // An item that fits is found, so it does not matter that others are similar.
    settleComparisons(of.env, before);
    noteEqualElements(of.call, of.env, () =>
      indexes.some((other) => other !== index && scope.holds(condition, other)),
    );
    return index;
  }
  nothingFound(of, condition, scope);
  return -1;
}

/** Reports a condition that may have a mistake, because no item fits. */
function nothingFound({ list, env }: ListCall, condition: Expression, scope: ItemScope): void {
  scope.checkTested(condition);
  noteOtherCase(condition, list.length, (of, index) => scope.valueOrMissing(of, index), env);
}

/** Names of numbers that are added up. They are hardly conditions. */
const AMOUNTS =
  /^(?:qty|quantity|quantities|pieces|units|hours|minutes|days|amounts?|prices?|totals?|menge|anzahl|stück|stunden|tage|betrag|preis|summe)$/i;

/** Returns the number of items that fit. Records a condition such as `qty` that is true for all of them. */
function counted(of: ListCall): number {
  const { list, env } = of;
  const found = matching(of).length;
  const condition = conditionIn(of);
  if (condition?.kind !== "path" || found < list.length || found < 2) return found;
  const key = condition.rest.at(-1) ?? condition.head ?? "";
  const scope = new ItemScope(of);
  if (!AMOUNTS.test(key) || typeof scope.valueOrMissing(condition, 0) !== "number") return found;
  env.doubts.push({
    code: "same_for_all_items",
    message: (tag) =>
      `In the tag ${tag}, 'count' counts the items whose '${condition.source}' is not 0, which are all items.`,
    hint: `For the sum of the numbers write ${namesIn(of).list ?? "items"}.sum(${condition.source}).`,
    pointers: [],
    isMissing: false,
  });
  return found;
}

/** Returns the value of the second argument for each item; the items themselves without that argument. */
function valuesOf({ call, list, env, by }: ListCall): readonly unknown[] {
  const expression = call.arguments[1];
  if (expression === undefined) return list;
  const scope = new ItemScope({ call, list, env, by });
  return list.map((_item, index) => scope.value(expression, index));
}

/** Returns the values of the items. Lists among them become one list, as in a path through a list of lists. */
function flattened(of: ListCall): readonly unknown[] {
  const values = valuesOf(of);
  if (!values.some(Array.isArray)) return values;
  const all: unknown[] = [];
  for (const value of values) {
    if (!Array.isArray(value)) all.push(value);
    else {
      of.env.spend(value.length);
      for (const each of value) all.push(each);
    }
  }
  return all;
}

/** Returns the values to sort by, for each argument. A missing value is undefined. */
function keysOf({ call, list, env, by }: ListCall): SortKey[] {
  const scope = new ItemScope({ call, list, env, by });
  const keys = call.arguments.slice(1);
  if (keys.length === 0) {
    checkSortKeys(call, undefined, list);
    return [{ values: list, descending: false }];
  }
  return keys.map((key, at) => {
    const values = list.map((_item, index) => scope.valueOrMissing(key, index));
    checkSortKeys(call, key, values);
    checkNamedKey(key, list);
    if (list.length > 0 && values.every((value) => value === undefined)) scope.value(key, 0);
    if (at === 0)
      noteSortedYears(
        call,
        indexesOf(list),
        (date, index) => scope.valueOrMissing(date, index),
        env,
      );
    return { values, descending: call.descending[at] === true, by: key };
  });
}

/** Returns the indexes of the items by the value of the second argument, in the order of the first item of each. */
function grouped({ call, env }: ListCall, values: readonly unknown[]): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  let kind: string | null = null;
  for (const [index, value] of values.entries()) {
    const key = keyOf(value, call, index);
    const own = key.slice(0, key.indexOf(" "));
    kind ??= own;
    if (own !== kind) {
      throw wrongKey(`${call.name} got a ${kind} and a ${own} as keys`, index);
    }
    env.spend(1 / 2 + key.length / 64);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [index]);
    else group.push(index);
  }
  if (kind === "text") {
    noteAlike(
      call,
      [...groups.values()].map(([first = 0]) => values[first]),
      values.length,
      env,
    );
  }
  return groups;
}

/** Returns the kind of a key, and the key as text. Equal keys have equal texts. */
function keyOf(value: unknown, call: CallExpression, index: number): string {
  if (typeof value === "string") return `text ${value}`;
  if (typeof value === "boolean") return `boolean ${value}`;
  if (value instanceof Date && !Number.isNaN(value.getTime())) return `date ${value.getTime()}`;
  const number = toDecimal(value);
  if (number !== null) return `number ${decimalText(number)}`;
  throw wrongKey(
    `${call.name} needs text, a number, or true or false as the key, but got ${withArticle(value)}`,
    index,
    hintForGroupKey(call, value),
  );
}

function wrongKey(message: string, element: number, hint: string | null = null): EvaluationError {
  return Object.assign(new EvaluationError(message), {
    argument: 0,
    element,
    hint: hint ?? "Group by a value that all items have in the same form.",
  });
}

function slice({ list }: ListCall, from: number, to: number): readonly unknown[] {
  return pick(list, indexesOf(list).slice(from, to));
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || (typeof value === "string" && value.trim() === "")
  );
}
