import { LRUCache } from "lru-cache";

/**
 * Maximum number of `Intl` objects in a cache. They are slow to create and take memory, and requests choose the locale.
 */
const MAX_REMEMBERED = 100;

/** Creates an empty cache for {@link remember}. */
export function createCache<T extends {}>(): LRUCache<string, T> {
  return new LRUCache({ max: MAX_REMEMBERED });
}

/** Returns the cached value for a key, or creates it. */
export function remember<T extends {}>(cache: LRUCache<string, T>, key: string, make: () => T): T {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  cache.set(key, made);
  return made;
}
