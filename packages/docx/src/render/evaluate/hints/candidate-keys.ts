/** Maximum number of keys of an object to search for a suggestion. */
const MAX_CANDIDATES = 500;

/** Returns the keys of an object, or of the first element of a list. */
export function keysOf(value: unknown): readonly string[] {
  const object: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof object !== "object" || object === null || Array.isArray(object)) return [];
  return Object.keys(object).slice(0, MAX_CANDIDATES);
}
