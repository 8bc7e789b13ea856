import { kindOf } from "../../../format/print.ts";
import {
  type Expression,
  isPlainName,
  type PathExpression,
  spellKey,
} from "../../../language/grammar/expression.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { hasOwn, resolveHead, type Scope, turnNamed } from "../context/scope.ts";

/** Number of keys that a hint names. */
export const MAX_KEYS = 12;

/**
 * Returns a hint with `row.sales[m.key]` for `row.sales["m.key"]` and `row.sales.m.key`, where `m` is the item of a
 * loop and `m.key` is text or a number. Returns null for other paths.
 */
export function hintForBrackets({ head, rest }: PathExpression, env: Evaluation): string | null {
  if (head === null || !isPlainName(head)) return null;
  let object = resolveHead(head, env);
  const known = rest.findIndex((key) => {
    if (!hasOwn(object, key)) return true;
    object = object[key];
    return false;
  });
  if (known === -1 || typeof object !== "object" || Array.isArray(object)) return null;
  const [alias = "", ...keys] = rest.slice(known).flatMap((key) => key.split("."));
  const turn = alias === head ? null : turnNamed(alias, env.scope);
  if (turn === null) return null;
  let value: unknown = turn.item;
  let at = 0;
  for (; hasOwn(value, keys[at] ?? ""); at += 1) value = value[keys[at] ?? ""];
  if (typeof value !== "string" && typeof value !== "number") return null;
  if (known === 0 && !hasOwn(object, String(value))) return null;
  const of = head + rest.slice(0, known).map(spellKey).join("");
  const named = alias + keys.slice(0, at).map(spellKey).join("");
  return `Did you mean '${of}[${named}]${keys.slice(at).map(spellKey).join("")}'?`;
}

/**
 * Returns the hint for `sales[m]`, where `m` is an object: `sales[m.key]`. `value`: the value of `sales`. `by`: the value
 * in brackets. Returns null if the object has no key whose value can be in brackets.
 */
export function hintForObjectInBrackets(
  { of, key }: Extract<Expression, { kind: "element" }>,
  value: unknown,
  by: unknown,
): string | null {
  if (of.kind !== "path" || key.kind !== "path" || kindOf(by) !== "object") return null;
  const object = by as object;
  if (Array.isArray(value)) {
    return `'${of.source}' is a list, whose elements have numbers: write ${of.source}[${key.source === "this" ? "$index" : `${key.source}.$index`}].`;
  }
  const keys = Object.keys(object).filter(isPlainName).slice(0, MAX_KEYS);
  const single = keys.filter((each) => isSingle(object, each));
  const found = single.filter((each) =>
    hasOwn(value, String(Object.getOwnPropertyDescriptor(object, each)?.value)),
  );
  const start = key.source === "this" ? "" : `${key.source}.`;
  const [one, other] = (found.length > 0 ? found : single.sort(namesFirst)).map(
    (each) => `${of.source}[${start}${each}]`,
  );
  if (one === undefined) return null;
  return `'${key.source}' is an object with the keys ${keys.join(", ")}: write ${other === undefined ? one : `${one} or ${other}`}.`;
}

/** Orders keys that name an object for readers before its identifiers. */
export function namesFirst(one: string, other: string): number {
  return Number(IS_NAME.test(other)) - Number(IS_NAME.test(one));
}

const IS_NAME = /^(?:name|title|label)$/i;

/** Whether the value of a key is a text, a number or the like. It is not read from a getter. */
export function isSingle(of: object, key: string): boolean {
  const value: unknown = Object.getOwnPropertyDescriptor(of, key)?.value;
  return (
    value !== null && value !== undefined && kindOf(value) !== "object" && !Array.isArray(value)
  );
}

/**
 * Returns the value of a loop around a tag that is a key of an object, as in a column for each month and an object with
 * the hours of each month; or null.
 */
export function keyOfTurn(
  object: object,
  scope: Scope | null,
): { readonly alias: string; readonly key: string } | null {
  for (let at = scope; at !== null; at = at.outer) {
    const { alias, item } = at;
    if (alias === null || item === object) continue;
    if (typeof item === "string" || typeof item === "number") {
      if (hasOwn(object, String(item))) return { alias, key: alias };
    } else if (kindOf(item) === "object") {
      const keys = Object.keys(item as object)
        .filter(isPlainName)
        .slice(0, MAX_KEYS);
      const key = keys.find(
        (each) =>
          isSingle(item as object, each) &&
          hasOwn(object, String(Object.getOwnPropertyDescriptor(item, each)?.value)),
      );
      if (key !== undefined) return { alias, key: `${alias}.${key}` };
    }
  }
  return null;
}
