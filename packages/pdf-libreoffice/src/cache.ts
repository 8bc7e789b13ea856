/** What is kept of a conversion, and how many bytes that is. */
export interface Kept<T> {
  readonly value: T;
  readonly bytes: number;
}

interface Running<T> {
  readonly result: Promise<T>;
  readonly abort: AbortController;
  wanted: number;
}

/**
 * Makes each thing once: who asks for one that is being made waits for that, and the latest that were made
 * are kept. One that nobody waits for any more is given up.
 */
export class OnceCache<T> {
  readonly #maxBytes: number;
  /** The one that was used longest ago comes first. */
  readonly #kept = new Map<string, Kept<T>>();
  readonly #running = new Map<string, Running<T>>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * The thing of a key, or what `make` makes of it. `onAbort` gives the error with which a caller leaves when its
   * signal is aborted; the others do not notice.
   */
  async get(
    key: string,
    make: (signal: AbortSignal) => Promise<Kept<T>>,
    signal: AbortSignal | undefined,
    onAbort: (signal: AbortSignal) => Error,
  ): Promise<T> {
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return kept.value;
    }
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
    this.#bytes = 0;
  }

  #run(key: string, make: (signal: AbortSignal) => Promise<Kept<T>>): Running<T> {
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

  #keep(key: string, made: Kept<T>): void {
    if (made.bytes > this.#maxBytes / 4) return; // one must not drive out all others
    this.#kept.set(key, made);
    this.#bytes += made.bytes;
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#kept.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}
