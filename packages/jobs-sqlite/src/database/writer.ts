import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { isQuireError } from "@quire/contracts";
import type { Database } from "./database.ts";
import { isBusy } from "./sqlite-errors.ts";

interface Write {
  readonly body: () => unknown;
  readonly isLong: boolean;
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
/** How long writes wait for another process that is writing. Each write takes milliseconds. */
const LOCKED_MS = 5000;
/** The longest pause between two attempts to write. */
const MAX_PAUSE_MS = 10;

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
   * the event loop. `isLong`: the body takes milliseconds, so others run between it and the next write.
   */
  write<T>(body: () => T, { isLong = false } = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ body, isLong, done: (result) => resolve(result as T), failed: reject });
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
        const group = this.#nextGroup();
        committed.push(...(await this.#commit(group)));
        if (group.some(({ isLong }) => isLong)) break;
      }
      if (committed.length > 0) await this.#sync(committed);
    }
    this.#writing = null;
  }

  /** The writes for the next transaction. It contains at most one long write, as the last one. */
  #nextGroup(): Write[] {
    const long = this.#waiting.findIndex(({ isLong }) => isLong);
    return this.#waiting.splice(0, Math.min(MAX_GROUP, long < 0 ? MAX_GROUP : long + 1));
  }

  /**
   * Commits a group when no other process is writing. Returns an empty list if the transaction was rolled back; the
   * writes have then failed.
   */
  async #commit(group: readonly Write[]): Promise<Committed[]> {
    const end = performance.now() + LOCKED_MS;
    for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      try {
        return this.#commitNow(group);
      } catch (error) {
        if (isBusy(error) && performance.now() < end) await sleep(pauseMs * (0.5 + Math.random()));
        else {
          for (const { failed } of group) failed(error);
          return [];
        }
      }
    }
  }

  #commitNow(group: readonly Write[]): Committed[] {
    const committed: Committed[] = [];
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
