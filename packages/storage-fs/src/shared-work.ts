/**
 * Runs work once for all callers that request it before it begins. For many files in one folder, for example, the
 * folder is looked up and synced only once. Callers that arrive during a run share the next run.
 */
export class SharedWork<T> {
  readonly #work: (key: string) => Promise<T>;
  readonly #running = new Map<string, Promise<T>>();
  /** Runs that have not begun yet. */
  readonly #next = new Map<string, Promise<T>>();

  constructor(work: (key: string) => Promise<T>) {
    this.#work = work;
  }

  /** Resolves with the result of a run that begins after this call. */
  do(key: string): Promise<T> {
    const next = this.#next.get(key) ?? this.#after(this.#running.get(key), key);
    this.#next.set(key, next);
    return next;
  }

  async #after(running: Promise<T> | undefined, key: string): Promise<T> {
    await running?.catch(() => {}); // its own callers get the error
    const next = this.#next.get(key);
    this.#next.delete(key);
    if (next !== undefined) this.#running.set(key, next);
    try {
      return await this.#work(key);
    } finally {
      if (this.#running.get(key) === next) this.#running.delete(key);
    }
  }
}
