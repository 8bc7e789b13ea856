/** Work that is waited for only at the end. */
export class Background {
  readonly #running = new Set<Promise<void>>();

  /** Adds work. Its errors are ignored. */
  add(work: Promise<unknown>): void {
    const done: Promise<void> = work.then(
      () => {},
      () => {},
    );
    const tracked = done.finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }

  /** Resolves when no work is left. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }
}
