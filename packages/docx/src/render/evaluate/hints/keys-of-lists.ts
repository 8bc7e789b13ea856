import { kindOf } from "../../../format/print.ts";
import {
  isPlainName,
  type PathExpression,
  spellKey,
} from "../../../language/grammar/expression.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { hasOwn } from "../context/scope.ts";

/** Number of keys that a hint names. */
const MAX_KEYS = 12;

/**
 * Returns the hint for a key of a list that its items do not have: `tenants.name`, where the tenants are texts, and
 * `values["Glucose"].amount`, where the text is a value of an item. `keys`: the keys of the path. Null for other keys.
 */
export function hintForKeyOfList(
  items: readonly unknown[],
  list: string,
  keys: readonly string[],
): string | null {
  const [first] = items;
  if (["string", "number"].includes(typeof first)) {
    return `The elements of '${list}' are single values and have no keys. To print them, write ${list}.join(", "). For one of them write its position, from 0: ${list}[0].`;
  }
  const at = keys.findLastIndex((key) => !isPlainName(key) || /^\p{Lu}/u.test(key));
  const sought = keys[at];
  if (typeof first !== "object" || first === null || sought === undefined) return null;
  const names = Object.keys(first).filter(isPlainName).slice(0, MAX_KEYS);
  const [name] = names;
  if (name === undefined || items.some((item) => hasOwn(item, sought))) return null;
  const after = keys
    .slice(at + 1)
    .map(spellKey)
    .join("");
  return `'${list}' is a list. For the item with this text write ${list}.first(${name} == ${JSON.stringify(sought)})${after}, with one of its keys in place of '${name}': ${names.join(", ")}.`;
}

/** Number of objects and lists that are searched for a key. */
const MAX_SEARCHED = 200;

/** Returns the hint for a name that only the items of one list of the data have; null for other names. */
export function hintForKeyOfItems({ head, rest }: PathExpression, env: Evaluation): string | null {
  if (head === null || rest.length > 0 || env.scope?.siblings !== undefined) return null;
  const found: { readonly list: string; readonly value: unknown }[] = [];
  const open: { readonly of: unknown; readonly path: string }[] = [{ of: env.data, path: "" }];
  for (let at = 0; at < open.length && at < MAX_SEARCHED; at++) {
    const { of, path } = open[at] ?? { of: null, path: "" };
    for (const name of Object.keys(of ?? {})
      .filter(isPlainName)
      .slice(0, MAX_SEARCHED)) {
      const value: unknown = Object.getOwnPropertyDescriptor(of, name)?.value;
      const first: unknown = Array.isArray(value) ? value[0] : null;
      if (hasOwn(first, head)) found.push({ list: path + name, value: first[head] });
      else if (kindOf(value) === "object") open.push({ of: value, path: `${path}${name}.` });
    }
  }
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) return null;
  const { list, value } = only;
  const sum =
    kindOf(value) === "number" ? ` To compute with all items write ${list}.sum(${head}).` : "";
  return `'${head}' is a key of the items of '${list}'. For each item write a loop, for i in ${list}, and in it i.${head}.${sum}`;
}
