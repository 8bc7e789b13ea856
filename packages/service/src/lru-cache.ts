/** A cached value and its size. */
export interface CacheEntry<T> {
  readonly value: T;
  readonly size: number;
}

/** An LRU cache with a maximum number and a maximum total size. A value that is larger by itself is kept alone. */
export class LruCache<T> {
  readonly #maxEntries: number;
  readonly #maxSize: number;
  /** The most recently used value comes last. */
  readonly #cache = new Map<string, CacheEntry<T>>();
  #size = 0;

  constructor(most: number, mostSize: number) {
    this.#maxEntries = most;
    this.#maxSize = mostSize;
  }

  /** Null if the key has no value. */
  get(key: string): T | null {
    const cached = this.#cache.get(key);
    if (cached === undefined) return null;
    this.#cache.delete(key);
    this.#cache.set(key, cached);
    return cached.value;
  }

  /** Replaces the value under the key. */
  set(key: string, cached: CacheEntry<T>): void {
    this.#remove(key);
    this.#cache.set(key, cached);
    this.#size += cached.size;
    for (const [oldest] of this.#cache) {
      const fits = this.#cache.size <= this.#maxEntries && this.#size <= this.#maxSize;
      if (fits || oldest === key) break;
      this.#remove(oldest);
    }
  }

  /** Removes this value, unless another value has replaced it. */
  delete(key: string, value: T): void {
    if (this.#cache.get(key)?.value === value) this.#remove(key);
  }

  #remove(key: string): void {
    this.#size -= this.#cache.get(key)?.size ?? 0;
    this.#cache.delete(key);
  }
}
