import { kindOf } from "../../../format/print.ts";
import type { PathExpression } from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { columnOf } from "../../../language/mistakes/read-calls.ts";
import { hasOwn, resolve } from "../context/scope.ts";
import type { Missing } from "./group-items.ts";

/**
 * Returns the hint for `teams.name.sort(points desc)`, whose items are single values, but the items of `teams` have the
 * key `points`, and for `teams.players.group(league)`. Null for other paths.
 */
export function ofParent(
  { source, head, rest }: PathExpression,
  { call, of, expression, whole, env }: Missing,
): string | null {
  const { scope } = env;
  if (scope === null || head === null || rest.length > 0) return null;
  const { path } = scope;
  const column = of === path.source ? columnOf(of) : null;
  const isOfObjects = kindOf(scope.item) === "object";
  if (column === null || (isOfObjects && (call !== "$group" || scope.items === null))) return null;
  if (isOfObjects && scope.items?.some((item) => hasOwn(item, head)) === true) return null;
  const parent = { ...path, source: column.list, rest: path.rest.slice(0, -1) };
  const items = resolve(parent, { ...env, scope: scope.outer });
  if (!Array.isArray(items) || !items.some((item) => hasOwn(item, head))) return null;
  if (isOfObjects)
    return `'${source}' is a key of the items of '${column.list}': write ${column.list}${whole.slice(of?.length)}, and in a loop over its groups g.items.${column.key}.`;
  const isOfKeys = /^\$(?:sum|average|min|max)$/.test(call);
  const meant = isOfKeys
    ? `${column.list}.where(${spellExpression(expression)}).${call.slice(1)}(${column.key})`
    : `${column.list}${whole.slice(of?.length)}${call === "$count" ? "" : `.${column.key}`}`;
  return isOfKeys || whole.startsWith(`${of}.`)
    ? `'${source}' is a key of the items of '${column.list}': write ${meant}.`
    : null;
}
