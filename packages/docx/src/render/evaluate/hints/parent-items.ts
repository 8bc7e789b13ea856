import { kindOf } from "../../../format/print.ts";
import { type PathExpression, spellKey } from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { columnOf } from "../../../language/mistakes/read-calls.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { hasOwn, resolve, type Scope, turnIn, turnNamed } from "../context/scope.ts";
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

/** Returns the hint for `$previous.fee` and `$next.fee` in a loop: an item beside the current one. Null for others. */
export function hintForNeighbor({ head, rest }: PathExpression, env: Evaluation): string | null {
  const [, name = ""] = /^\$(prev(?:ious)?|next)(?:_?item|_?row)?$/i.exec(head ?? "") ?? [];
  const turn = name === "" ? null : turnIn(env.scope);
  if (turn === null) return null;
  const [sign, place] = /^n/i.test(name) ? ["+", "after"] : ["-", "before"];
  const keys = rest.map(spellKey).join("");
  return `For the item ${place} this one write ${listOfTurn(turn, env)}[$index ${sign} 1]${keys} :: optional.`;
}

/** Returns the hint for `p[$index - 1].fee`, where `p` is the item of a loop; null for other values. */
export function hintForItemInBrackets(
  of: PathExpression,
  element: string,
  env: Evaluation,
): string | null {
  const turn = of.head === null || of.rest.length > 0 ? null : turnNamed(of.head, env.scope);
  if (turn === null || turn.index === null || !element.startsWith(`${of.source}[`)) return null;
  return `'${of.source}' is one item of the list: write ${listOfTurn(turn, env)}${element.slice(of.source.length)} :: optional.`;
}

/** Returns the list that a loop repeats, as written in its tag. */
function listOfTurn({ alias, path }: Scope, { opened }: Evaluation): string {
  const loop = (alias === null ? undefined : opened?.get(alias)) ?? "";
  const [, list = ""] = /\sin\s+(\S.*?)\s*(?:\}\}|$)/s.exec(loop) ?? [];
  return list.startsWith(path.source) ? list : path.source;
}
