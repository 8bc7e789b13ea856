/** `Intl` objects are slow to create and not small, and requests choose the locales. */
const MAX_REMEMBERED = 100;

/** Returns the cached value for a key, or creates it. A full cache evicts its oldest entry. */
export function remember<T extends {}>(cache: Map<string, T>, key: string, make: () => T): T {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (cache.size >= MAX_REMEMBERED) {
    for (const oldest of cache.keys()) {
      cache.delete(oldest);
      break;
    }
  }
  cache.set(key, made);
  return made;
}
