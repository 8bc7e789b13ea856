import { isQuireError } from "@quire/contracts";
import type { Database } from "./database.ts";

interface Write {
  readonly body: () => unknown;
  readonly done: (result: unknown) => void;
  readonly failed: (error: unknown) => void;
}

/** Maximum number of writes in one transaction, so that other processes get access to the file. */
const MAX_GROUP = 64;
/** Maximum time that a write waits for others. */
const MAX_WAIT_MS = 10;
/** Time over which the rate of writes is averaged. */
const RATE_MS = 100;

/**
 * Combines concurrent writes into one transaction, since the sync to disk is the main cost. If a write throws a
 * `QuireError`, its earlier changes are kept, and the other writes are not affected.
 */
export class Writer {
  readonly #database: Database;
  #waiting: Write[] = [];
  #scheduled = false;
  #timer: NodeJS.Timeout | undefined;
  /** Writes during the last `RATE_MS`; the older, the less they count. */
  #recent = 0;
  #lastAt = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Resolves with the result of the body when it is durable. `worthwhile`: the write waits briefly until this many
   * writes are waiting, unless recent writes were too rare for that. By default it waits only for writes of the same
   * turn of the event loop.
   */
  write<T>(body: () => T, worthwhile = 1): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ body, done: (result) => resolve(result as T), failed: reject });
      const expected = this.#expectedWrites();
      if (this.#scheduled) return;
      if (this.#waiting.length < Math.min(worthwhile, expected)) {
        this.#timer ??= setTimeout(() => this.flush(), MAX_WAIT_MS);
        return;
      }
      this.#scheduled = true;
      setImmediate(() => this.flush());
    });
  }

  /** Counts a write. Returns how many are likely to arrive while one waits. */
  #expectedWrites(): number {
    const now = performance.now();
    this.#recent = 1 + this.#recent * Math.exp((this.#lastAt - now) / RATE_MS);
    this.#lastAt = now;
    return (this.#recent * MAX_WAIT_MS) / RATE_MS;
  }

  /** Commits the waiting writes. */
  flush(): void {
    this.#scheduled = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#waiting.length > 0) this.#writeGroup(this.#waiting.splice(0, MAX_GROUP));
  }

  #writeGroup(group: readonly Write[]): void {
    const ends: (() => void)[] = [];
    try {
      this.#database.transaction(() => {
        for (const { body, done, failed } of group) {
          try {
            const result = body();
            ends.push(() => done(result));
          } catch (error) {
            if (!isQuireError(error)) throw error;
            ends.push(() => failed(error));
          }
        }
      });
    } catch (error) {
      for (const { failed } of group) failed(error);
      return;
    }
    for (const end of ends) end();
  }
}
