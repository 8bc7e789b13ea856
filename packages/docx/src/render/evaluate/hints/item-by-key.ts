import { kindOf } from "../../../format/print.ts";
import {
  type Expression,
  isPlainName,
  type PathExpression,
} from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { hasOwn, resolve, type Scope, turnIn, turnNamed } from "../context/scope.ts";
import { hintForObjectInBrackets, isSingle, namesFirst } from "./key-in-brackets.ts";

/** Number of items of a loop, and of a list, whose values are compared. */
const MAX_ITEMS = 200;

/**
 * Returns the hint for an element by its position or by a text, `row.values[m.name].value`, whose list has the text as
 * the value of a key of its items: `row.values.first(month == m.name).value`. `after`: the keys behind the brackets, as
 * written. Returns null for other lists.
 */
export function itemByKey(
  { source }: PathExpression,
  key: Expression,
  list: readonly unknown[],
  after: string,
  { scope }: Evaluation,
): string | null {
  const turn = turnOf(key, scope);
  if (turn === null || turn.alias === null || turn.items === null) return null;
  const { alias, items } = turn;
  for (const path of namedBy(key, turn)) {
    const values = new Set(
      items.slice(0, MAX_ITEMS).flatMap((item) => {
        const value = path === null ? item : valueAt(item, path);
        return typeof value === "string" && value !== "" ? [value] : [];
      }),
    );
    const found = keyWith(values, list);
    if (found === null) continue;
    const meant = path === null ? alias : `${alias}.${path}`;
    return `The items of '${source}' have '${found}': write ${source}.first(${found} == ${meant})${after}.`;
  }
  return null;
}

/**
 * Returns the hint for a text of the data in brackets, `tariffs[tariff].fee`: `tariffs.first(code == tariff).fee`. Returns
 * null if the name is the item of a loop, or a key of the items. `after`: the keys behind the brackets, as written.
 */
export function itemByText(
  { source }: PathExpression,
  key: PathExpression,
  list: readonly unknown[],
  after: string,
  env: Evaluation,
): string | null {
  const { head } = key;
  const sought = resolve(key, env);
  if (head === null || turnNamed(head, env.scope) !== null || typeof sought !== "string")
    return null;
  if (hasOwn(list[0], head)) return null;
  const found = keyWith(new Set([sought]), list);
  return found === null
    ? `'${source}' is a list, whose elements have numbers and no keys. To look for a key of its items write ${source}.first(key == ${key.source})${after}.`
    : `For the item with this '${found}' write ${source}.first(${found} == ${key.source})${after}.`;
}

/** Returns the hint for an object in brackets, `values[m]`; null if it has no key that can be in brackets. */
export function hintForObjectBy(
  element: Extract<Expression, { kind: "element" }>,
  value: unknown,
  by: unknown,
  env: Evaluation,
): string | null {
  const { of, key } = element;
  const turn = key.kind === "path" && key.rest.length === 0 ? turnOf(key, env.scope) : null;
  if (turn !== null && turn.items === value && turn.item === by) {
    const item = spellExpression(key);
    return `'${item}' is the item itself: write ${item} in place of ${spellExpression(element)}.`;
  }
  const byKey =
    Array.isArray(value) && of.kind === "path" ? itemByKey(of, key, value, "", env) : null;
  return byKey ?? hintForObjectInBrackets(element, value, by);
}

/** Returns the iteration whose item or position an expression names, or null. */
function turnOf(key: Expression, scope: Scope | null): Scope | null {
  if (key.kind === "variable")
    return key.name !== "$index"
      ? null
      : key.of === null
        ? turnIn(scope)
        : turnNamed(key.of, scope);
  return key.kind === "path" && key.head !== null ? turnNamed(key.head, scope) : null;
}

/** Returns the keys of a loop's item that may name the item of another list; null is the item itself. */
function namedBy(key: Expression, { item }: Scope): readonly (string | null)[] {
  if (typeof item === "string") return [null];
  if (kindOf(item) !== "object") return [];
  if (key.kind === "path" && key.rest.length > 0) {
    const [only = "", ...more] = key.rest;
    return more.length === 0 && isPlainName(only) ? [only] : [];
  }
  const object = item as object;
  const keys = Object.keys(object).filter((each) => isPlainName(each) && isSingle(object, each));
  return keys.sort(namesFirst);
}

/** Returns the key of the items of a list that has one of some values. */
function keyWith(values: ReadonlySet<string>, list: readonly unknown[]): string | null {
  for (const item of list.slice(0, MAX_ITEMS)) {
    if (kindOf(item) !== "object") continue;
    const found = Object.keys(item as object).find((key) => {
      const value = valueAt(item, key);
      return isPlainName(key) && typeof value === "string" && values.has(value);
    });
    if (found !== undefined) return found;
  }
  return null;
}

function valueAt(of: unknown, key: string): unknown {
  return typeof of === "object" && of !== null
    ? Object.getOwnPropertyDescriptor(of, key)?.value
    : undefined;
}
