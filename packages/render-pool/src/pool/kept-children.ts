import type { PoolChild } from "./pool-child.ts";

/** The processes of a pool. An idle process ends after a while. */
export class KeptChildren {
  readonly #idleMs: number;
  /** Each process with the timer that ends it, or null while it works. */
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

  /** Call it when a process has work. */
  wake(child: PoolChild): void {
    this.#stopTimer(child);
    this.#all.set(child, null);
  }

  /** Call it when a process is idle. Its timer does not keep the program running. */
  rest(child: PoolChild): void {
    this.#stopTimer(child);
    this.#all.set(child, setTimeout(() => this.dismiss(child), this.#idleMs).unref());
  }

  /** Call it when a process has ended. */
  forget(child: PoolChild): void {
    this.#stopTimer(child);
    this.#all.delete(child);
  }

  dismiss(child: PoolChild): void {
    this.forget(child);
    const ending = child.stop().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  /** Resolves when all processes have ended. */
  async close(): Promise<void> {
    for (const child of this) this.dismiss(child);
    await Promise.all(this.#ending);
  }

  #stopTimer(child: PoolChild): void {
    const idle = this.#all.get(child);
    if (idle) clearTimeout(idle);
  }
}
