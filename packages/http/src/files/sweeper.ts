import type { FileCatalog, Leftover, Storage } from "@quire/core/host";
import { hasCode } from "./problems.ts";

/** Removes from the storage what the catalog has let go. */
export interface Sweeper {
  /** What was let go before the call is gone when it resolves, unless the storage failed: that is tried again with a later call. */
  sweep(): Promise<void>;
}

/** A sweeper over the catalog's leftovers; several in several processes do no harm. */
export function createSweeper(storage: Storage, catalog: FileCatalog): Sweeper {
  return new LeftoverSweeper(storage, catalog);
}

class LeftoverSweeper implements Sweeper {
  readonly #storage: Storage;
  readonly #catalog: FileCatalog;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(storage: Storage, catalog: FileCatalog) {
    this.#storage = storage;
    this.#catalog = catalog;
  }

  sweep(): Promise<void> {
    if (this.#running === null) return this.#start();
    // The one that runs may have looked before the call.
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = null;
        return this.#start();
      });
    return this.#next;
  }

  #start(): Promise<void> {
    const run = this.#sweepOnce().finally(() => {
      if (this.#running === run) this.#running = null;
    });
    this.#running = run;
    return run;
  }

  async #sweepOnce(): Promise<void> {
    let filesFailed = false;
    await this.#catalog.sweep(async (leftover) => {
      try {
        await this.#discard(leftover, filesFailed);
      } catch (error) {
        if (leftover.type === "file") filesFailed = true;
        throw error;
      }
    });
  }

  async #discard({ type, storageId }: Leftover, filesFailed: boolean): Promise<void> {
    if (type === "file") {
      await this.#storage.remove({ type, id: storageId });
      return;
    }
    try {
      await this.#storage.removeFolder({ type, id: storageId });
    } catch (error) {
      // What others have put there is theirs: the folder stays, and is picked up again.
      if (filesFailed || !hasCode(error, "conflict")) throw error;
    }
  }
}
