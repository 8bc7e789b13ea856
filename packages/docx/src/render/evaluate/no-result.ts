import { decimalText, toDecimal } from "../../format/decimal.ts";
import type { Wording } from "../../language/delimiters/wording.ts";
import { type Expression, noPlace, pathsOf, spellKey } from "../../language/grammar/expression.ts";
import { spellExpression } from "../../language/grammar/spell.ts";
import { functionOfResult } from "./built-in-meant.ts";
import type { Evaluation } from "./context/evaluation.ts";
import { pointerOf } from "./context/pointers.ts";
import { resolve, turnNamed } from "./context/scope.ts";
import { evaluate } from "./evaluate.ts";
import type { MissingTag } from "./hints/element-hints.ts";
import { elementMeant } from "./hints/matrix-elements.ts";
import { hintForItemInBrackets } from "./hints/parent-items.ts";
import { hintForForm } from "./tag-forms.ts";

interface NoResult {
  readonly pointer: string;
  readonly hint: Wording | null;
}

const OTHERWISE = 'or write :: optional or :: default("…") in the tag';

/**
 * Returns the hint for a tag that has no value although all values that it names exist, such as `sales[m.key]`,
 * `months[$index - 1].key` and `products.first(id == l.id).price`, and a JSON Pointer to the value that was not found or
 * that was looked for. The hint is null, and the pointer empty, for other tags.
 */
export function noResult(tag: MissingTag, env: Evaluation): NoResult {
  const apart = { ...env, doubts: [], missed: [] };
  const { pointer, hint } = notFound(tag.expression, apart) ?? { pointer: "", hint: null };
  const meant = hintForForm(tag, noPlace(), env) ?? functionOfResult(tag.expression);
  return { pointer, hint: meant ?? hint };
}

function notFound(expression: Expression, env: Evaluation): NoResult | null {
  const of = expression.kind === "member" ? expression.of : expression;
  if (of.kind !== "element" && of.kind !== "call") return null;
  const value = evaluate(of, env);
  if (value !== undefined && value !== null) return null;
  return of.kind === "element" ? noElement(of, expression, env) : noItem(of, env);
}

function noElement(
  { of, key }: Extract<Expression, { kind: "element" }>,
  whole: Expression,
  env: Evaluation,
): NoResult | null {
  const [list, by] = [of.kind === "path" ? resolve(of, env) : undefined, evaluate(key, env)];
  const number = typeof by === "string" ? null : toDecimal(by);
  if (of.kind !== "path" || (typeof by !== "string" && number === null)) return null;
  const name = number === null ? String(by) : decimalText(number);
  const path = { ...of, source: of.source + spellKey(name), rest: [...of.rest, name] };
  const after = whole.kind === "member" ? whole.keys.map(spellKey).join("") : "";
  const meant = elementMeant({ of, key, list, number, after }, env);
  if (meant !== null) return { pointer: pointerOf(of, env), hint: meant };
  if (!Array.isArray(list)) {
    const hint =
      hintForItemInBrackets(of, spellExpression(whole), env) ??
      `'${of.source}' has no such key. Add it to the data, ${OTHERWISE}.`;
    return typeof list === "object" ? { pointer: pointerOf(path, env), hint } : null;
  }
  const pointer = pointerOf(/^\d+$/.test(name) ? path : of, env);
  const end = endOfLoop(key, of.source, env);
  const hint =
    end === null
      ? `'${of.source}' has no item at this position. Positions count from 0. Correct it, ${OTHERWISE}.`
      : `The ${end === "$first" ? "first" : "last"} item has no item ${end === "$first" ? "before" : "after"} it: write $if(${end}, "", ${inLoop(spellExpression(whole), of.source, env)}).`;
  return { pointer, hint };
}

/** Returns an element of `items` in a loop over `items.sort(date)` as an element of the sorted list. */
function inLoop(element: string, source: string, { scope, opened }: Evaluation): string {
  const loop = opened?.get(scope?.alias ?? "") ?? "";
  const [, list = ""] = /\sin\s+(\S.*?)\s*(?:\}\}|$)/s.exec(loop) ?? [];
  return list.startsWith(`${source}.`) && element.startsWith(`${source}[`)
    ? `${list}${element.slice(source.length)}`
    : element;
}

/** `months[$index - 1]` in a loop over `months`: the item of the loop that has no such neighbor. */
function endOfLoop(
  key: Expression,
  source: string,
  { scope }: Evaluation,
): "$first" | "$last" | null {
  if (key.kind !== "compute" || key.left.kind !== "variable" || key.right.kind !== "number")
    return null;
  const isNext = key.left.name === "$index" && key.left.of === null && key.right.text === "1";
  if (!isNext || scope?.path.source !== source) return null;
  if (key.operator === "-") return scope.index === 0 ? "$first" : null;
  return key.operator === "+" && scope.index === scope.length - 1 ? "$last" : null;
}

function noItem(
  { name, arguments: [of, condition] }: Extract<Expression, { kind: "call" }>,
  env: Evaluation,
): NoResult | null {
  if ((name !== "$first" && name !== "$last") || of?.kind !== "path") return null;
  const list = resolve(of, env);
  // An item may be null.
  if (!Array.isArray(list) || (condition === undefined && list.length > 0)) return null;
  // The name of a loop's item is not a key of the items of the list.
  const sought = (condition === undefined ? [] : pathsOf(condition)).find(
    ({ head }) => head !== null && turnNamed(head, env.scope) !== null,
  );
  const what =
    condition === undefined ? "has no items" : `has no item with ${spellExpression(condition)}`;
  return {
    pointer: pointerOf(sought ?? of, env),
    hint: `'${of.source}' ${what}. Add it to the data, ${OTHERWISE}.`,
  };
}
