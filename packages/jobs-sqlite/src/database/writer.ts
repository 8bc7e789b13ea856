import { setImmediate as nextTurn } from "node:timers/promises";
import { isQuireError } from "@quire/contracts";
import type { Database } from "./database.ts";

interface Write {
  readonly body: () => unknown;
  readonly done: (result: unknown) => void;
  readonly failed: (error: unknown) => void;
}

/** A write whose transaction is committed, but not yet durable. */
interface Committed {
  readonly end: () => void;
  readonly failed: (error: unknown) => void;
}

/** Maximum number of writes in one transaction, so that other processes get access to the file. */
const MAX_GROUP = 64;

/**
 * Combines concurrent writes into one transaction and one sync to disk. Writes that arrive during a sync share the next
 * one. If a write throws a `QuireError`, its earlier changes are kept, and the other writes are not affected.
 */
export class Writer {
  readonly #database: Database;
  #waiting: Write[] = [];
  #writing: Promise<void> | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Resolves with the result of the body when the write is durable. Waits at least for the writes from the same turn of
   * the event loop.
   */
  write<T>(body: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ body, done: (result) => resolve(result as T), failed: reject });
      this.#writing ??= this.#writeAll();
    });
  }

  /** Resolves when all writes are durable or have failed. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await nextTurn();
      const committed: Committed[] = [];
      while (this.#waiting.length > 0) {
        committed.push(...this.#commit(this.#waiting.splice(0, MAX_GROUP)));
      }
      if (committed.length > 0) await this.#sync(committed);
    }
    this.#writing = null;
  }

  /** Returns an empty list if the transaction was rolled back; the writes have then failed. */
  #commit(group: readonly Write[]): Committed[] {
    const committed: Committed[] = [];
    try {
      this.#database.commit(() => {
        for (const { body, done, failed } of group) {
          try {
            const result = body();
            committed.push({ end: () => done(result), failed });
          } catch (error) {
            if (!isQuireError(error)) throw error;
            committed.push({ end: () => failed(error), failed });
          }
        }
      });
      return committed;
    } catch (error) {
      for (const { failed } of group) failed(error);
      return [];
    }
  }

  async #sync(committed: readonly Committed[]): Promise<void> {
    try {
      await this.#database.sync();
      for (const { end } of committed) end();
    } catch (error) {
      for (const { failed } of committed) failed(error);
    }
  }
}
