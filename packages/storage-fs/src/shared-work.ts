/**
 * Does work that serves all who ask for it before it begins: many files of one folder look the folder up, and
 * sync it, once. Who asks while it is under way waits for the next time.
 */
export class SharedWork<T> {
  readonly #work: (key: string) => Promise<T>;
  readonly #running = new Map<string, Promise<T>>();
  /** What has not begun yet. */
  readonly #next = new Map<string, Promise<T>>();

  constructor(work: (key: string) => Promise<T>) {
    this.#work = work;
  }

  /** Resolves with what the work gives when it is done once more, from now on. */
  do(key: string): Promise<T> {
    const next = this.#next.get(key) ?? this.#after(this.#running.get(key), key);
    this.#next.set(key, next);
    return next;
  }

  async #after(running: Promise<T> | undefined, key: string): Promise<T> {
    await running?.catch(() => {}); // who waited for it is told
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
