/** A cached value and its size. */
export interface Kept<T> {
  readonly value: T;
  readonly size: number;
}

/** An LRU cache with a maximum number and a maximum total size. A value that is larger by itself is kept alone. */
export class KeptValues<T> {
  readonly #most: number;
  readonly #mostSize: number;
  /** The most recently used value comes last. */
  readonly #kept = new Map<string, Kept<T>>();
  #size = 0;

  constructor(most: number, mostSize: number) {
    this.#most = most;
    this.#mostSize = mostSize;
  }

  /** Null if the key has no value. */
  get(key: string): T | null {
    const kept = this.#kept.get(key);
    if (kept === undefined) return null;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.value;
  }

  /** Replaces the value under the key. */
  keep(key: string, kept: Kept<T>): void {
    this.#remove(key);
    this.#kept.set(key, kept);
    this.#size += kept.size;
    for (const [oldest] of this.#kept) {
      const fits = this.#kept.size <= this.#most && this.#size <= this.#mostSize;
      if (fits || oldest === key) break;
      this.#remove(oldest);
    }
  }

  /** Removes this value, unless another value has replaced it. */
  forget(key: string, value: T): void {
    if (this.#kept.get(key)?.value === value) this.#remove(key);
  }

  #remove(key: string): void {
    this.#size -= this.#kept.get(key)?.size ?? 0;
    this.#kept.delete(key);
  }
}
