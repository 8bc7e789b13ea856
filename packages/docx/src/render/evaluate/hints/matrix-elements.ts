import { kindOf } from "../../../format/print.ts";
import {
  type Expression,
  isPlainName,
  type PathExpression,
} from "../../../language/grammar/expression.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { hasOwn } from "../context/scope.ts";
import { itemByKey, itemByText } from "./item-by-key.ts";
import { isSingle, namesFirst } from "./key-in-brackets.ts";

/** An element that was not found. */
interface Sought {
  readonly of: PathExpression;
  readonly key: Expression;
  /** The value of `of`. */
  readonly list: unknown;
  /** The key, if it is a number. */
  readonly number: unknown;
  /** The keys behind the brackets, as written. */
  readonly after: string;
}

/**
 * Returns the hint for an element of a row that is written as an element of another kind: `row[$index]` for
 * `row.values[$index]`, `row.sales[$index]` for `row.sales[m.key]`, and `row.values[m.key]` for `row.values[m.$index]`.
 * Returns null for other elements.
 */
export function elementMeant(
  { of, key, list, number, after }: Sought,
  env: Evaluation,
): string | null {
  if (Array.isArray(list)) {
    const byKey = itemByKey(of, key, list, after, env);
    if (byKey !== null || number !== null) return byKey;
    const byText = key.kind === "path" ? itemByText(of, key, list, after, env) : null;
    return byText ?? elementOfList(of, key);
  }
  if (number === null) return otherKey(of, key, list, env);
  if (kindOf(list) !== "object" || key.kind !== "variable") return null;
  const position = key.of === null ? key.name : `${key.of}.${key.name}`;
  const keys = Object.keys(list as object).filter(isPlainName);
  const inner = keys.find((each) => Array.isArray(valueAt(list as object, each)));
  if (inner !== undefined)
    return `'${of.source}' is not a list. Its list is ${of.source}.${inner}: write ${of.source}.${inner}[${position}].`;
  const named = nameOfKey(list as object, env);
  return named === null
    ? null
    : `'${of.source}' is not a list. It has keys in place of positions: write ${of.source}[${named}].`;
}

function elementOfList(of: PathExpression, key: Expression): string | null {
  if (key.kind !== "path" || key.head === null) return null;
  return `'${of.source}' is a list, whose elements have numbers and no keys: write ${of.source}[${key.head}.$index].`;
}

/** `row.byMonth[m.name]` for `row.byMonth[m.key]`. */
function otherKey(
  of: PathExpression,
  key: Expression,
  list: unknown,
  env: Evaluation,
): string | null {
  if (key.kind !== "path" || key.head === null || kindOf(list) !== "object") return null;
  const meant = nameOfKey(list as object, env, key.head);
  return meant === null || meant === key.source
    ? null
    : `'${of.source}' has no such key, but the value of '${meant}' is one: write ${of.source}[${meant}].`;
}

/** Returns the path of the loop's item whose value is a key of the object, such as `m.key`, or the item itself. `name`: the name of the item, if it is known. */
function nameOfKey(object: object, { scope }: Evaluation, name?: string): string | null {
  for (let at = scope; at !== null; at = at.outer) {
    const { alias, item } = at;
    if (name !== undefined && alias !== name) continue;
    const isKey = typeof item === "string" || typeof item === "number";
    if (alias !== null && isKey && hasOwn(object, String(item))) return alias;
    if (alias === null || item === null || typeof item !== "object" || item === object) continue;
    const keys = Object.keys(item).filter((each) => isPlainName(each) && isSingle(item, each));
    const found = keys.sort(namesFirst).find((each) => hasOwn(object, String(valueAt(item, each))));
    if (found !== undefined) return `${alias}.${found}`;
  }
  return null;
}

function valueAt(object: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(object, key)?.value;
}
