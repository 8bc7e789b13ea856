import { isQuireError } from "@quire/core/host";
import type { Database } from "./database.ts";

interface Write {
  readonly body: () => unknown;
  readonly done: (result: unknown) => void;
  readonly failed: (error: unknown) => void;
}

/** No more writes than this are made durable at once, so that others have the file between. */
const MAX_GROUP = 64;
/** A write waits no longer than this for others. */
const MAX_WAIT_MS = 10;

/**
 * Makes writes that come at about the same time durable together: the sync of the disk is what costs. What a
 * write has done before it throws an error of Quire is kept, and the others are not touched by it.
 */
export class Writer {
  readonly #database: Database;
  #waiting: Write[] = [];
  #scheduled = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Resolves with the result of the body when it is durable. `worthwhile`: the write waits a little until
   * there are so many; by default it waits for none but those of the same turn of the event loop.
   */
  write<T>(body: () => T, worthwhile = 1): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ body, done: (result) => resolve(result as T), failed: reject });
      if (this.#scheduled) return;
      if (this.#waiting.length < worthwhile) {
        this.#timer ??= setTimeout(() => this.flush(), MAX_WAIT_MS);
        return;
      }
      this.#scheduled = true;
      setImmediate(() => this.flush());
    });
  }

  /** Makes durable what waits. */
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
