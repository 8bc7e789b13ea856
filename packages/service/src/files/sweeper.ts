import type { FileCatalog, Leftover, Storage } from "@quire/core/host";
import { hasCode } from "./file-errors.ts";

/** Removes bytes from the storage that the catalog no longer needs. */
export interface Sweeper {
  /** Removes all leftovers that exist at the time of the call. If the storage fails, a later call tries again. */
  sweep(): Promise<void>;
}

/** Creates a sweeper of the catalog's leftovers. Several processes may run sweepers at the same time. */
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
    // The current run may have started before the newest leftovers existed.
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
      // The folder contains items that other programs have added, so it remains and is adopted again.
      if (filesFailed || !hasCode(error, "conflict")) throw error;
    }
  }
}
