import type { PoolChild } from "./pool-child.ts";

/** The processes of a pool. A process that has been idle for a while ends. */
export class KeptChildren {
  readonly #idleMs: number;
  /** For each process, the timer that ends it; null while the process works. */
  readonly #all = new Map<PoolChild, NodeJS.Timeout | null>();
  readonly #ending = new Set<Promise<void>>();

  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  get size(): number {
    return this.#all.size;
  }

  [Symbol.iterator](): Iterator<PoolChild> {
    return this.#all.keys();
  }

  add(child: PoolChild): void {
    this.#all.set(child, null);
  }

  has(child: PoolChild): boolean {
    return this.#all.has(child);
  }

  /** Must be called when a process has work. */
  wake(child: PoolChild): void {
    this.#stopTimer(child);
    this.#all.set(child, null);
  }

  /** Must be called when a process is idle. Its timer does not keep the program running. */
  rest(child: PoolChild): void {
    this.#stopTimer(child);
    this.#all.set(child, setTimeout(() => this.dismiss(child), this.#idleMs).unref());
  }

  /** Must be called when a process has ended. */
  forget(child: PoolChild): void {
    this.#stopTimer(child);
    this.#all.delete(child);
  }

  dismiss(child: PoolChild): void {
    this.forget(child);
    const ending = child.stop().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  /** Ends all processes. Resolves when they have ended. */
  async close(): Promise<void> {
    for (const child of this) this.dismiss(child);
    await Promise.all(this.#ending);
  }

  #stopTimer(child: PoolChild): void {
    const idle = this.#all.get(child);
    if (idle) clearTimeout(idle);
  }
}
