import { isPlainName, spellKey } from "../../../language/grammar/expression.ts";
import { hasOwn } from "../context/scope.ts";

/** Number of keys that a hint names. */
const MAX_KEYS = 12;

/**
 * Returns the hint for a key of a list that its items do not have: `tenants.name`, where the tenants are texts, and
 * `values["Glucose"].amount`, where the text is a value of an item. `keys`: those after the start of the path, of which
 * the first that is no key of an object is the one of the list. Null for other keys.
 */
export function hintForKeyOfList(
  items: readonly unknown[],
  list: string,
  keys: readonly string[],
): string | null {
  const [first] = items;
  if (["string", "number"].includes(typeof first)) {
    return `The elements of '${list}' are single values and have no keys. To print them, write ${list}.join(", ").`;
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
