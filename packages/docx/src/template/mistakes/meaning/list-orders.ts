import type { Diagnostic } from "@quire/contracts";
import { expressionsOf } from "../../../language/directive.ts";
import {
  allOf,
  type CallExpression,
  type Expression,
} from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { TagNode } from "../../nodes/nodes.ts";

/** Warns about a tag that sorts a list after another function decided which items or which order it has. */
export function listOrders(tag: TagNode): Diagnostic[] {
  const calls = expressionsOf(tag.directive).flatMap(allOf).filter(isCall);
  return [limitBeforeSort(tag, calls), sortedTwice(tag, calls)].filter((each) => each !== null);
}

/**
 * Warns about `items.limit(1).sort(price desc)`, unless a sort comes before the limit, too. Without `desc`, the first items
 * of an ordered list may well be put into another order.
 */
function limitBeforeSort(tag: TagNode, calls: readonly CallExpression[]): Diagnostic | null {
  if (!calls.some(sortsFew)) return null;
  const message = `In the tag ${tag.text}, limit comes before sort, so only the first items of the list are sorted.`;
  const hint = "Put limit after sort, as in items.sort(price desc).limit(3).";
  return warning(tag, message, hint);
}

function sortsFew({ name, arguments: [of], descending }: CallExpression): boolean {
  if (name !== "$sort" || of?.kind !== "call" || of.name !== "$limit") return false;
  const [list, count] = of.arguments;
  const isSorted = list !== undefined && allOf(list).some((each) => isCall(each) && isSort(each));
  if (list === undefined || isSorted) return false;
  return descending.includes(true) || (count?.kind === "number" && count.text === "1");
}

/** Warns about `items.sort(year).sort(title)`, whose second sort decides. */
function sortedTwice(tag: TagNode, calls: readonly CallExpression[]): Diagnostic | null {
  for (const last of calls.filter(isSort)) {
    const first = sortWithin(last.arguments[0]);
    if (first === null) continue;
    const keys = [last, first].map(({ arguments: [, ...by], descending }) =>
      by.map((key, index) => `${spellExpression(key)}${descending[index] === true ? " desc" : ""}`),
    );
    const [later = [], earlier = []] = keys;
    if (later.length === 0 || earlier.length === 0) continue;
    const message = `In the tag ${tag.text}, the last sort decides. The one before it only orders items that are equal in the last one.`;
    const hint = `Write one sort with the most important key first: sort(${[...earlier, ...later].join(", ")}), or sort(${[...later, ...earlier].join(", ")}).`;
    return warning(tag, message, hint);
  }
  return null;
}

/** Returns the sort whose order a list still has. */
function sortWithin(list: Expression | undefined): CallExpression | null {
  if (list === undefined || !isCall(list)) return null;
  if (isSort(list)) return list;
  return list.name === "$where" || list.name === "$nonEmpty" ? sortWithin(list.arguments[0]) : null;
}

function isCall(expression: Expression): expression is CallExpression {
  return expression.kind === "call";
}

function isSort({ name }: CallExpression): boolean {
  return name === "$sort";
}

function warning(tag: TagNode, message: string, hint: string): Diagnostic {
  return { ...tagProblem(tag, "doubtful_order", message, hint), severity: "warning" };
}
