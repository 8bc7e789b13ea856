import { LRUCache } from "lru-cache";

/** A cached value. */
export interface CacheEntry<T> {
  readonly value: T;
  /** The size of the value in bytes, at least 1. */
  readonly bytes: number;
}

interface Running<T> {
  readonly result: Promise<T>;
  readonly abort: AbortController;
  wanted: number;
}

/**
 * Computes each value once. Concurrent callers for the same key share one computation, and the most recently used
 * values are cached. A computation is aborted when all of its callers have aborted.
 */
export class OnceCache<T> {
  readonly #maxBytes: number;
  readonly #kept: LRUCache<string, CacheEntry<T>>;
  readonly #running = new Map<string, Running<T>>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#kept = new LRUCache({ maxSize: Math.max(1, Math.floor(maxBytes)) });
  }

  /**
   * Returns the value for a key, from the cache or from `make`. When `signal` is aborted, this call rejects with the
   * error from `onAbort`; other calls are not affected.
   */
  async get(
    key: string,
    make: (signal: AbortSignal) => Promise<CacheEntry<T>>,
    signal: AbortSignal | undefined,
    onAbort: (signal: AbortSignal) => Error,
  ): Promise<T> {
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept.value;
    const running = this.#running.get(key) ?? this.#run(key, make);
    running.wanted += 1;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const leave = (): void => {
      if (signal !== undefined) reject(onAbort(signal));
    };
    signal?.addEventListener("abort", leave);
    running.result.then(resolve, reject);
    try {
      return await promise;
    } finally {
      signal?.removeEventListener("abort", leave);
      running.wanted -= 1;
      if (running.wanted === 0) {
        running.abort.abort();
        if (this.#running.get(key) === running) this.#running.delete(key);
      }
    }
  }

  clear(): void {
    this.#kept.clear();
  }

  #run(key: string, make: (signal: AbortSignal) => Promise<CacheEntry<T>>): Running<T> {
    const abort = new AbortController();
    const result = make(abort.signal).then((made) => {
      this.#keep(key, made);
      return made.value;
    });
    const running = { result, abort, wanted: 0 };
    this.#running.set(key, running);
    const done = (): void => {
      if (this.#running.get(key) === running) this.#running.delete(key);
    };
    result.then(done, done);
    return running;
  }

  #keep(key: string, made: CacheEntry<T>): void {
    if (made.bytes > this.#maxBytes / 4) return; // a single value must not evict all others
    this.#kept.set(key, made, { size: made.bytes });
  }
}
