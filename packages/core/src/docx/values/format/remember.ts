/** `Intl` objects are slow to make and not small; and locales come with requests. */
const MAX_REMEMBERED = 100;

/** What was made for a key before, or is made now. The cache forgets its oldest entry when it is full. */
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
