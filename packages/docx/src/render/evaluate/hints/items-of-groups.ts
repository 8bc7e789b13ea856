import { type Wording, withTags } from "../../../language/delimiters/wording.ts";
import {
  type Expression,
  type PathExpression,
  sourceOf,
  spellKey,
} from "../../../language/grammar/expression.ts";
import { isOfList } from "../../../language/grammar/functions.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { Group } from "../context/origins.ts";
import { hasOwn, resolveHead, turnNamed } from "../context/scope.ts";
import { hintInGroup } from "./groups.ts";

/** A group in whose block a path has no value. */
interface Around {
  readonly group: Group;
  /** The name of the group in the block; null in a section. */
  readonly alias: string | null;
  /** The keys that the path has after the group. */
  readonly keys: readonly string[];
}

/**
 * Returns the hint for a printed value that the items of a group have in place of the group, with the loop that prints
 * every item, or for a function on a list that a group does not have; null for other paths.
 */
export function printedInGroup(
  expression: Expression,
  path: PathExpression,
  env: Evaluation,
): Wording | null {
  if (expression.kind === "path") return everyItem(path, env);
  if (expression.kind !== "call" || !isOfList(expression.name)) return null;
  const meant = sourceOf(expression) === path ? itemsMeant(path, env) : null;
  const call = spellExpression(expression);
  if (meant === null || !call.startsWith(`${path.source}.`)) return null;
  const { items, key, isOfItems } = meant;
  const list = isOfItems ? `${items}${spellKey(key)}` : items;
  return withTags`The items of a group are a list: write {{${list}${call.slice(path.source.length)}}}.`;
}

/**
 * Returns the hint for a block that repeats a list that a group does not have; null for other lists. `alias`: the name
 * of its items; null for a section.
 */
export function repeatedInGroup(
  tag: string,
  { alias, shape }: { readonly alias: string | null; readonly shape: Expression | null },
  path: PathExpression,
  env: Evaluation,
): Wording | null {
  const meant = itemsMeant(path, env);
  // A section may test a value.
  if (meant === null || (alias === null && meant.isOfItems)) return null;
  const list = shape === null ? "" : spellExpression(shape);
  const calls = list.startsWith(`${path.source}.`) ? list.slice(path.source.length) : "";
  const [kind = "for"] = /tablerow|tablecolumn/.exec(tag) ?? [];
  return alias === null
    ? withTags`The items of a group are a list: write {{#${meant.items}}}.`
    : withTags`The items of a group are a list: write {{${kind} ${alias} in ${meant.items}${calls}}}.`;
}

/** `{{l.name}}` in `{{for l in lines.group(type)}}`. */
function everyItem(path: PathExpression, env: Evaluation): Wording | null {
  const around = groupAround(path, env);
  const known = around === null ? null : hintInGroup(path, env);
  if (around === null || known === null) return null;
  const { group, alias, keys } = around;
  const [key = ""] = keys;
  const [item] = group.items;
  if (!hasOwn(item, key) || Array.isArray(item[key]) || item[key] === group.key) return null;
  const value = keys.join(".");
  if (alias === null)
    return withTags`To print every item, repeat the items of the group: {{#items}}{{${value}}}{{/}}. ${known}`;
  const name = alias === "i" ? "each" : "i";
  const opened = env.opened?.get(alias) ?? "";
  return /^\W*tablerow\b/.test(opened)
    ? withTags`To print a row for every item, begin the row with ${opened}{{tablerow ${name} in ${alias}.items}}, write {{${name}.${value}}} in it, and end it with {{endtablerow}}{{endtablerow}}. ${known}`
    : withTags`To print every item, repeat the items of the group: {{for ${name} in ${alias}.items}}{{${name}.${value}}}{{endfor}}. ${known}`;
}

/** Returns the group in whose block a path is, if it begins at the group or has a key of its items. */
function groupAround({ head, rest }: PathExpression, { scope, data }: Evaluation): Around | null {
  const turn = head === null ? scope : turnNamed(head, scope);
  if (turn?.item instanceof Group) return { group: turn.item, alias: head, keys: rest };
  if (head === null || rest.length > 0 || hasOwn(data, head)) return null;
  for (let at = scope; at !== null; at = at.outer) {
    const { item, alias } = at;
    if (item instanceof Group && hasOwn(item.items[0], head))
      return { group: item, alias, keys: [head] };
  }
  return null;
}

/** The list of a group, and the key that a path has in its place. */
interface Meant {
  readonly items: string;
  readonly key: string;
  /** Whether the items have the key. */
  readonly isOfItems: boolean;
}

/** Returns the list of a group in whose place a path has another key; null for other paths. */
function itemsMeant({ head, rest }: PathExpression, env: Evaluation): Meant | null {
  const group = resolveHead(head, env);
  const [key] = rest;
  if (!(group instanceof Group) || key === undefined || rest.length > 1) return null;
  const [item] = group.items;
  const isOfItems = hasOwn(item, key);
  if (hasOwn(group, key) || (isOfItems && Array.isArray(item[key]))) return null;
  return { items: head === null ? "items" : `${head}.items`, key, isOfItems };
}
