import { kindOf } from "../../../format/print.ts";
import type { Expression } from "../../../language/grammar/expression.ts";
import { written } from "../../../language/literal-conditions.ts";
import { withArticle } from "../compare/compare.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { Group } from "../context/origins.ts";
import { placeOf } from "../context/pointers.ts";
import { hasOwn } from "../context/scope.ts";
import { lengthMeant } from "../hints/length-meant.ts";
import { hintForList, hintForSides } from "../hints/list-comparisons.ts";
import { outerHint, outerMeant } from "../hints/outer-items.ts";

/** Records a comparison, or a search in a list, of values that are never equal. */
export function noteUnequal(
  comparison: Extract<Expression, { kind: "compare" }>,
  one: unknown,
  other: unknown,
  env: Evaluation,
): void {
  noteComparison(comparison, one, other, env);
  noteSearch(comparison, one, other, env);
}

/** Records a comparison of a list or an object with another value. */
function noteComparison(
  { operator, left, right }: Extract<Expression, { kind: "compare" }>,
  one: unknown,
  other: unknown,
  env: Evaluation,
): void {
  if (operator !== "==" && operator !== "!=") return;
  const isLeft = isComposed(one);
  if ((!isLeft && !isComposed(other)) || one === other) return;
  if (one === undefined || other === undefined || isReported(env)) return;
  const [side, against] = isLeft ? [left, right] : [right, left];
  const counted = side.kind === "path" ? lengthMeant(side, env) : null;
  const place = placeOf(side, env);
  const what = side.kind === "path" ? `'${side.source}', which is` : "a value that is";
  const comma = side.kind === "path" ? "," : "";
  const value = isLeft ? one : other;
  const outer = outerMeant(side, env);
  const isSearch = Array.isArray(value) && !isComposed(isLeft ? other : one);
  env.doubts.push({
    code: "never_equal",
    message: (tag) =>
      `The tag ${tag} compares ${what} ${withArticle(value)}${comma} with another value: they are never equal.`,
    hint:
      (outer === null ? null : outerHint(side, outer)) ??
      (counted === null ? null : `For the number of the elements write ${counted}.`) ??
      hintForSides(operator, left, right) ??
      (isSearch
        ? hintForList(operator, side, against)
        : hintForObject(operator, side, against, value)),
    pointers: place === undefined ? [] : [place],
    isMissing: false,
  });
}

/** Whether a path of the tag is reported as a key of the items already. */
function isReported({ doubts }: Evaluation): boolean {
  return doubts.some(({ code }) => code === "same_for_all_items");
}

/** Records a search for a text or number in a list of objects: the list never contains it. */
function noteSearch(
  { operator, left }: Extract<Expression, { kind: "compare" }>,
  one: unknown,
  other: unknown,
  env: Evaluation,
): void {
  if (operator !== "contains" || !Array.isArray(one) || one.length === 0) return;
  if (other === undefined || isComposed(other)) return;
  const isOfLists = one.some(Array.isArray);
  if (!isOfLists && !one.every((element) => kindOf(element) === "object")) return;
  const what = left.kind === "path" ? `'${left.source}'` : "the list";
  const of = left.kind === "path" ? left.source : "items";
  const place = placeOf(left, env);
  env.doubts.push({
    code: "never_equal",
    message: (tag) =>
      isOfLists
        ? `The tag ${tag} looks for a single value in a list that has lists as elements: it does not find it in them.`
        : `The tag ${tag} looks for a single value in ${what}, whose elements are objects: it never finds it.`,
    hint: isOfLists
      ? "Ask for each list: value in tags or value in others."
      : `Name the key to look at, as in ${of}.map(name) contains "A", or ask for the items: ${of}.count(name == "A") > 0.`,
    pointers: place === undefined ? [] : [place],
    isMissing: false,
  });
}

function isComposed(value: unknown): boolean {
  return Array.isArray(value) || kindOf(value) === "object";
}

/** Returns the hint for an object that is compared as a whole. The keys of the data are not named. */
function hintForObject(
  operator: "==" | "!=",
  side: Expression,
  other: Expression,
  value: unknown,
): string {
  if (value instanceof Group) {
    return `Compare the value that its items have in common: ${side.kind === "path" ? side.source : "group"}.key.`;
  }
  const compared = written(other);
  if (side.kind !== "path" || compared === null || kindOf(value) !== "object") {
    return "Compare the values within it.";
  }
  const key = hasOwn(value, "name") ? "name" : "key";
  return `Compare one of the values within it, as in ${side.source}.${key} ${operator} ${compared}.`;
}
