import type { Wording } from "../../../language/delimiters/wording.ts";
import type { CallExpression, PathExpression } from "../../../language/grammar/expression.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { pointerOf } from "../context/pointers.ts";
import { hasOwn, resolve } from "../context/scope.ts";

/**
 * Records a list of the values of a key that counts as true because it has elements, although some of them are false,
 * or all of them are empty text.
 */
export function noteTruthOfList(
  path: PathExpression,
  list: readonly unknown[],
  env: Evaluation,
): void {
  const key = path.rest.at(-1);
  if (key === undefined || list.length === 0 || !path.source.endsWith(`.${key}`)) return;
  const isOfTruths = list.includes(false) && list.every((each) => typeof each === "boolean");
  const isEmpty = !isOfTruths && list.every((each) => typeof each === "string" && !each.trim());
  if (!isOfTruths && !isEmpty) return;
  const of = path.source.slice(0, -key.length - 1);
  const items = resolve({ ...path, source: of, rest: path.rest.slice(0, -1) }, env);
  if (!Array.isArray(items)) return;
  env.doubts.push({
    code: "text_as_condition",
    message: (tag) =>
      `The tag ${tag} treats '${path.source}' as true because it is a list with elements, although ${isOfTruths ? "some of them are false" : "all of them are empty"}.`,
    hint: isOfTruths
      ? `For all items write ${of}.count(not ${key}) == 0, and for at least one ${of}.count(${key}) > 0.`
      : `To ask for an element that is not empty, write ${path.source}.nonEmpty().`,
    pointers: [pointerOf(path, env)],
    isMissing: false,
  });
}

/** The fault of a call: the end of the sentence "In the tag …, …", and the hint. */
export type Doubt = readonly [code: string, message: string, hint: Wording];

/** `permits.late.count()`, where each permit is late or not. */
export function countOfBooleans(
  { arguments: [of, ...more] }: CallExpression,
  value: unknown,
  env: Evaluation,
): Doubt | null {
  if (of?.kind !== "path" || of.rest.length === 0 || more.length > 0) return null;
  if (!Array.isArray(value) || !value.includes(false)) return null;
  if (!value.every((each) => typeof each === "boolean")) return null;
  const [, list, key] = /^(.+)\.([^.[\]]+)$/.exec(of.source) ?? [];
  if (list === undefined) return null;
  // An object may have a list of truths.
  const items = resolve({ ...of, source: list, rest: of.rest.slice(0, -1) }, env);
  if (!Array.isArray(items)) return null;
  return [
    "doubtful_count",
    `the count of '${of.source}' also counts values that are false`,
    `For the number of those that are true write ${list}.count(${key}).`,
  ];
}

/** `orders.count(lines)`, where each order has lines, and some have several. */
export function countOfLists(
  { arguments: [of, condition] }: CallExpression,
  items: unknown,
  result: unknown,
): Doubt | null {
  if (of?.kind !== "path" || condition?.kind !== "path" || condition.rest.length > 0) return null;
  const key = condition.head;
  if (key === null || !Array.isArray(items) || result !== items.length) return null;
  const lists = items.map((item) => (hasOwn(item, key) ? item[key] : null));
  const lengths = lists.map((list) => (Array.isArray(list) ? list.length : 0));
  if (lengths.includes(0) || !lengths.some((length) => length > 1)) return null;
  return [
    "doubtful_count",
    `'count' counts the items whose '${key}' is not empty, which are all items`,
    `For the number of all their elements write ${of.source}.${key}.count().`,
  ];
}
