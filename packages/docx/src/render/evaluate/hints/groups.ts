import { kindOf } from "../../../format/print.ts";
import type { PathExpression } from "../../../language/grammar/expression.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { Group } from "../context/origins.ts";
import { hasOwn, resolveHead } from "../context/scope.ts";

const GROUP = new Group(null, []);

/** Returns the hint for a key of a group, other than the keys that groups have; null for other paths. */
export function hintInGroup({ head, rest }: PathExpression, env: Evaluation): string | null {
  const [key] = rest;
  if (key === undefined) return head === null ? null : itemsKey(head, env);
  const turn = resolveHead(head, env);
  if (!(turn instanceof Group)) return ofDistinct(head, key, turn, env);
  if (hasOwn(GROUP, key)) return null;
  const group = head === null ? "" : `${head}.`;
  const ofItems = ofLists(group, key, turn.items);
  if (ofItems !== null) return ofItems;
  return LISTS.test(key)
    ? `The list of a group is ${group}items: ${itemsOf(group, rest)}.`
    : (positionIn(group, key, turn.items) ??
        instead(group, rest.join("."), hasNumber(turn.items, rest)));
}

/** `p.key` and `p.items` in a loop over `parts.distinct(group)`, whose items are not groups. */
function ofDistinct(
  head: string | null,
  key: string,
  item: unknown,
  { opened }: Evaluation,
): string | null {
  if (head === null || !hasOwn(GROUP, key) || hasOwn(item, key)) return null;
  const [, list, by = ""] =
    /\sin\s+([\p{L}_][\p{L}\p{N}_.]*)\.distinct\(\s*([\p{L}_][\p{L}\p{N}_.]*)\s*\)\s*\}*$/u.exec(
      opened?.get(head) ?? "",
    ) ?? [];
  if (list === undefined) return null;
  const own = key === "key" ? `: write ${head}.${by}` : "";
  return `'distinct' gives the items themselves, which have no '${key}'${own}. For groups with 'key' and 'items' write ${list}.group(${by}).`;
}

/** `g.defects.count()`, where each item has a list of defects. */
function ofLists(group: string, key: string, [item]: readonly unknown[]): string | null {
  return hasOwn(item, key) && Array.isArray(item[key])
    ? `The '${key}' of all items of the group are ${group}items.${key}: write it in place of ${group}${key}.`
    : null;
}

/** `g.number`, which means `g.$number`, and `g.count`; null for a key of the items and for other names. */
function positionIn(group: string, key: string, [item]: readonly unknown[]): string | null {
  if (hasOwn(item, key)) return null;
  if (/^(?:number|index|first|last)$/.test(key)) return `Did you mean '${group}$${key}'?`;
  return /^(?:count|size|length|total|sum)$/.test(key)
    ? `For the number of items in the group write ${group}items.count(), and for a sum ${group}items.sum(amount).`
    : null;
}

function hasNumber([item]: readonly unknown[], [key = "", ...more]: readonly string[]): boolean {
  return more.length === 0 && hasOwn(item, key) && kindOf(item[key]) === "number";
}

/** Matches names that authors give to the list of a group. */
const LISTS =
  /^(?:list|rows|lines|values|elements|children|data|members|records|entries|group|item|content)$/i;

function itemsOf(group: string, [, key]: readonly string[]): string {
  return key === undefined
    ? `write ${group}items in place of the name`
    : `repeat it, for i in ${group}items, and write i.${key}`;
}

/** Returns the hint for `city` in a block that repeats groups of items with this key; null for other names. */
function itemsKey(name: string, env: Evaluation): string | null {
  for (let at = env.scope; at !== null; at = at.outer) {
    const { item, alias } = at;
    if (!(item instanceof Group) || !hasOwn(item.items[0], name)) continue;
    return instead(alias === null ? "" : `${alias}.`, name, hasNumber(item.items, [name]));
  }
  return null;
}

function instead(group: string, keys: string, isNumber: boolean): string {
  const total = isNumber ? `, or ${group}items.sum(${keys}) for the sum of all` : "";
  return `A group has a 'key' and 'items': write ${group}key for the value that its items have in common, or ${group}items[0].${keys} for a value of its first item${total}.`;
}
