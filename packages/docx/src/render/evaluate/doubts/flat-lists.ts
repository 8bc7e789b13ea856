import { withTags } from "../../../language/delimiters/wording.ts";
import {
  type CallExpression,
  type Expression,
  hasPlace,
  type PathExpression,
  spellKey,
} from "../../../language/grammar/expression.ts";
import { isOfList } from "../../../language/grammar/functions.ts";
import type { TextOp } from "../../../program/tag-ops.ts";
import type { Diagnostics } from "../context/document-diagnostics.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { pointerOf } from "../context/pointers.ts";
import { hasOwn, INDEX, resolve, type Scope, turnIn, turnNamed } from "../context/scope.ts";

type Origin = Pick<TextOp, "origin">;
type Element = Extract<Expression, { readonly kind: "element" }>;

/**
 * Warns about `{{orders.no}}` in `{{for l in orders.lines}}`, which prints the numbers of all orders in each iteration.
 * Returns whether it warns.
 */
export function noteOuterValues(
  { origin }: Origin,
  path: PathExpression,
  env: Evaluation,
  diagnostics: Diagnostics,
): boolean {
  for (let at = env.scope; at !== null; at = at.outer) {
    const shared = sharedList(path, at, env);
    if (shared === 0) continue;
    const list = spelled(keysOf(path).slice(0, shared));
    const loop = (at.alias === null ? undefined : env.opened?.get(at.alias)) ?? "the loop";
    const alias = at.alias ?? "each";
    const word = keysOf(path)[shared - 1] ?? "";
    const item = word.slice(0, 1) === alias || !/^\p{L}/u.test(word) ? "item" : word.slice(0, 1);
    const [inner, own] = [keysOf(at.path), keysOf(path)].map(
      (keys) => item + keys.slice(shared).map(spellKey).join(""),
    );
    const begin = loop.includes("tablerow") ? "tablerow" : "for";
    diagnostics.warn(
      origin,
      "list_in_loop",
      `'${path.source}' in ${origin.text} means the values of all items of '${list}' at once, in every repetition of ${loop}.`,
      pointerOf(path, env),
      () =>
        withTags`For the value of one item write a loop within a loop: {{${begin} ${item} in ${list}}}{{${begin} ${alias} in ${inner ?? ""}}} … {{${own ?? ""}}}.`,
    );
    return true;
  }
  return false;
}

/** Returns the number of keys that lead to a list of several items that a path and the list of a loop cross; otherwise 0. */
function sharedList(path: PathExpression, turn: Scope, env: Evaluation): number {
  if (turn.items === null || !hasPlace(turn.path) || path.head === null) return 0;
  if (turn.path.head !== path.head) return 0;
  const [own, loop] = [keysOf(path), keysOf(turn.path)];
  const different = own.findIndex((key, index) => key !== loop[index]);
  const next = [own[different], loop[different]];
  if (different < 1 || next.some((key) => key === undefined || INDEX.test(key))) return 0;
  const list = resolve({ ...path, source: "", rest: path.rest.slice(0, different - 1) }, env);
  return Array.isArray(list) && list.length > 1 ? different : 0;
}

function keysOf({ head, rest }: PathExpression): readonly string[] {
  return [head ?? "this", ...rest];
}

function spelled([head = "", ...rest]: readonly string[]): string {
  return head + rest.map(spellKey).join("");
}

/**
 * Warns about `{{rows.v[$index].sum()}}` where each row has a list `v`: `rows.v` is one list with the values of all rows,
 * so the tag takes a single one of them.
 */
export function noteFlatElement(
  { origin, expression }: Pick<TextOp, "origin" | "expression">,
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  const element = elementIn(expression);
  if (element?.of.kind !== "path" || element.key.kind !== "variable") return;
  const { of, key } = element;
  const name = of.rest.at(-1);
  if (key.name !== "$index" || name === undefined || !of.source.endsWith(`.${name}`)) return;
  const source = of.source.slice(0, -name.length - 1);
  const list = resolve({ ...of, source, rest: of.rest.slice(0, -1) }, env);
  if (!Array.isArray(list) || list.length < 2) return;
  if (!hasOwn(list[0], name) || !Array.isArray(list[0][name])) return;
  const turn = key.of === null ? turnIn(env.scope) : turnNamed(key.of, env.scope);
  // Other values of the same items may have the same positions.
  if (turn === null || turn.path.source.startsWith(`${source}.`)) return;
  const call = expression.kind === "call" ? expression.name.slice(1) : "sum";
  const position = turn.alias === null ? "$index" : `${turn.alias}.$index`;
  diagnostics.warn(
    origin,
    "list_in_loop",
    `In the tag ${origin.text}, '${of.source}' is one list with the values of all items, so the brackets take a single value.`,
    pointerOf(of, env),
    () =>
      withTags`For the value at this position in each item write {{${source}.${call}(${name}[${position}])}}.`,
  );
}

/** Returns the element that a tag prints, or of which it prints the sum. */
function elementIn(expression: Expression): Element | null {
  if (expression.kind === "element") return expression;
  if (expression.kind !== "call" || !isOfList(expression.name)) return null;
  const [of, ...others]: CallExpression["arguments"] = expression.arguments;
  return of?.kind === "element" && others.length === 0 ? of : null;
}
