import { kindOf } from "../../../format/print.ts";
import type { Expression, PathExpression } from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { OUTER } from "../../../language/parse-call.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { hasOwn, type Scope } from "../context/scope.ts";

/**
 * Returns what to write in place of a side of a comparison in the parentheses of a function that means the item of
 * another function or loop around it: `outer.sku` for `lines.sku` or, if the items are single values, `outer` for `this`.
 * Null for other sides.
 */
export function outerMeant(side: Expression, { scope }: Evaluation): string | null {
  if (side.kind !== "path" || scope?.siblings === undefined) return null;
  let functions = 1;
  for (let at = scope.outer; at !== null; at = at.outer) {
    if (at.items === scope.items) continue;
    if (at.siblings !== undefined) functions += 1;
    const name = at.siblings === undefined ? at.alias : functions === 2 ? OUTER : null;
    const keys = name === null ? null : keysOf(side.source, at);
    if (name !== null && keys !== null) return `${name}${keys}`;
  }
  return null;
}

/** Returns the hint with the result of {@link outerMeant}. */
export function outerHint(side: Expression, meant: string): string {
  return `For the item of the ${meant.startsWith(OUTER) ? "function" : "loop"} around it write ${meant} in place of ${spellExpression(side)}.`;
}

/**
 * Returns the hint for `r.name` in `{{for d in rooms.defects}}`, where each room has a name: a loop over the rooms around
 * the loop. Null for other paths.
 */
export function hintForOuterList(
  { head, rest: [key] }: PathExpression,
  { scope, data }: Evaluation,
): string | null {
  if (head === null || key === undefined || hasOwn(data, head)) return null;
  for (let at = scope; at !== null; at = at.outer) {
    const { alias, path } = at;
    const [list = "", inner] = path.rest.length === 1 && path.head ? [path.head, path.rest[0]] : [];
    const items = inner !== undefined && hasOwn(data, list) ? data[list] : null;
    if (alias === null || !Array.isArray(items) || !hasOwn(items[0], key)) continue;
    return `No loop has the name '${head}', and 'for ${alias} in ${list}.${inner}' knows only its own items. Write a loop within a loop: 'for ${head} in ${list}', and in it 'for ${alias} in ${head}.${inner}'.`;
  }
  return null;
}

/** Returns the keys of an item that a path names through its list, `.sku` for `lines.sku`; null for other paths. */
function keysOf(source: string, { item, path }: Scope): string | null {
  if (source === "this" || source === ".") return kindOf(item) === "object" ? null : "";
  const keys = source.slice(path.source.length);
  const [, key = ""] = /^\.([^.[]+)/.exec(keys) ?? [];
  return source.startsWith(path.source) && hasOwn(item, key) ? keys : null;
}
