import { kindOf } from "../../../format/print.ts";
import {
  type CallExpression,
  type Expression,
  isPlainName,
  type PathExpression,
} from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { Group } from "../context/origins.ts";
import { hasOwn } from "../context/scope.ts";

/** Where a value is missing: the function, its argument, and the evaluation for the item. */
export interface Missing {
  readonly call: CallExpression["name"];
  /** The list as written; null for the result of a function. */
  readonly of: string | null;
  readonly expression: Expression;
  /** The call as a tag writes it. */
  readonly whole: string;
  readonly env: Evaluation;
}

/** Returns the hint for a path that a group has no value for; null for other items. */
export function ofGroup(
  { head, rest, source }: PathExpression,
  { call, expression, env: { scope } }: Missing,
): string | null {
  if (!(scope?.item instanceof Group)) return null;
  // `items.count` is a function of the items.
  if (head === "items" && rest.length > 0) return null;
  const name = call.slice(1);
  const isTotal = /^(?:sum|average|min|max)$/.test(name) && hasOwn(scope.item.items[0], head ?? "");
  if (isTotal) {
    const value = spellExpression(expression);
    const total = `items.${name}(${value})`;
    const sums = hasNumber(scope.item, head) ? ofSums(name, value) : "";
    return `A group has a 'key' and 'items'. For one result of each group write map(${total}) in place of ${name}(…) and repeat or join it, and in a loop over the groups g.${total}.${sums} For one result of all items leave out group.`;
  }
  if (name === "where" && expression.kind === "compare" && /^[<>]/.test(expression.operator)) {
    const { left, operator, right } = expression;
    return `A group has a 'key' and 'items'. For groups by their total write where(items.sum(${spellExpression(left)}) ${operator} ${spellExpression(right)}). To select items, write where(…) before group.`;
  }
  if (name === "group") {
    return `A group has a 'key' and 'items'. For groups in groups write a loop within the loop over the groups: for h in g.items.group(${source}). For one group of both values write group($concat(…, " ", ${source})).`;
  }
  return name === "sort"
    ? `A group has a 'key' and 'items'. To order the groups by the value that they have in common, write sort(key). To order them by a sum of their items, write sort(items.sum(${keyToAdd(head, scope.item)}) desc).`
    : `A group has a 'key' and 'items'. Select the items before group, as in items.${name}(${head ?? "key"}), or use the key.`;
}

/** Returns a sentence about the greatest, the smallest or the average sum of a group; empty for a sum. */
function ofSums(name: string, value: string): string {
  const what = { max: "the greatest sum", min: "the smallest sum", average: "the average sum" };
  const isNamed = name === "max" || name === "min" || name === "average";
  return isNamed ? ` For ${what[name]} of a group write ${name}(items.sum(${value})).` : "";
}

function hasNumber({ items: [item] }: Group, name: string | null): boolean {
  return name !== null && hasOwn(item, name) && kindOf(item[name]) === "number";
}

/** Returns the key of a group's items to add up: the name as written, or a number that they have. */
function keyToAdd(name: string | null, group: Group): string {
  const {
    items: [item],
  } = group;
  if (name !== null && hasNumber(group, name)) return name;
  const numbers = Object.keys(item ?? {}).filter((key) => {
    return isPlainName(key) && hasNumber(group, key);
  });
  return numbers.at(-1) ?? name ?? "price";
}
