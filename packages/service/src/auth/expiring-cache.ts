import { LRUCache } from "lru-cache";

/** A cache of an issuer's recent responses about tokens, by token hash. */
export interface ExpiringCache<T> {
  /** Returns an entry; null if it is missing or has expired. */
  get(hash: string): T | null;
  /** Keeps an entry until `until`, a wall-clock time in milliseconds. Does nothing if that time has already passed. */
  set(hash: string, value: T, until: number): void;
}

/** Creates a cache that keeps at most `most` entries. Evicts the least recently used entry. */
export function expiringCache<T>(most: number, now: () => number): ExpiringCache<T> {
  const entries = new LRUCache<string, { readonly value: T; readonly until: number }>({
    max: most,
  });
  return {
    get: (hash) => {
      const entry = entries.get(hash);
      if (entry === undefined) return null;
      if (entry.until > now()) return entry.value;
      entries.delete(hash);
      return null;
    },
    set: (hash, value, until) => {
      if (until > now()) entries.set(hash, { value, until });
    },
  };
}
