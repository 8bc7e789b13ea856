import { type PathExpression, spellKey } from "../../../language/grammar/expression.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { hasOwn, resolveHead, turnNamed } from "../context/scope.ts";

/**
 * Returns a path with the name of the loop's item in place of an unknown name: `i.name` in `for item in items`. Returns
 * null if the name is known, or no item has the key.
 */
export function itemMeant({ head, rest }: PathExpression, env: Evaluation): string | null {
  const [key] = rest;
  if (head === null || key === undefined || isKnown(head, env)) return null;
  for (let at = env.scope; at !== null; at = at.outer) {
    if (at.alias !== null && hasOwn(at.item, key)) {
      return at.alias + rest.map(spellKey).join("");
    }
  }
  return null;
}

function isKnown(head: string, env: Evaluation): boolean {
  const isItem = turnNamed(head, env.scope) !== null;
  return isItem || hasOwn(env.data, head) || resolveHead(head, env) !== undefined;
}

/** Returns the path for `customer.first.name`, where the customer has the key "first name" or "first.name"; null for others. */
export function spacedKeyMeant({ head, rest }: PathExpression, env: Evaluation): string | null {
  let value = resolveHead(head, env);
  for (const [index, key] of rest.entries()) {
    const next = rest[index + 1];
    if (hasOwn(value, key)) {
      value = value[key];
      continue;
    }
    const of = value;
    const joined = [" ", ".", "_"]
      .map((sign) => key + sign + next)
      .find((name) => hasOwn(of, name));
    if (next !== undefined && joined !== undefined) {
      const keys = [...rest.slice(0, index), joined, ...rest.slice(index + 2)];
      return (head ?? "this") + keys.map(spellKey).join("");
    } else return null;
  }
  return null;
}

/** Returns the element for `row.values.$index`, whose position belongs in brackets; null for other paths. */
export function positionMeant({ rest, source }: PathExpression): string | null {
  const last = rest.at(-1) ?? "";
  const isPosition = rest.length > 1 && /^\$(?:index|number)$/.test(last);
  return isPosition && source.endsWith(`.${last}`)
    ? `${source.slice(0, -last.length - 1)}[$index]`
    : null;
}

/**
 * Returns the hint for `item.name` outside a loop over `items`, for which `near` was found; null if it does not begin
 * with a list.
 */
export function hintForItem(
  near: string,
  { head, rest }: PathExpression,
  env: Evaluation,
): string | null {
  if (near === `${head}.$index` && rest[0] === "index")
    return `For the position write ${head}.$number, which counts from 1. ${near} counts from 0.`;
  const [, list = "", keys = ""] = /^([\p{L}_][\p{L}\p{N}_]*)(\..+)$/u.exec(near) ?? [];
  if (list === head || keys === "" || !Array.isArray(resolveHead(list, env))) return null;
  return `'${list}' is a list: ${near} prints the values of all its items, and ${list}[0]${keys} the first one. For each item put the tag into a loop over ${list}.`;
}
