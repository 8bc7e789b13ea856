import { type BatchRecord, foldName, type JobStore } from "@quire/core/host";
import { jobsOf } from "./journal-pages.ts";
import { reuses } from "./key.ts";

/**
 * Finds batches whose documents a later run took over or replaced. Runs with other file names in the same folder are
 * not affected. Batches must come newest first.
 */
export class Takeovers {
  readonly #journal: JobStore;
  /** By folder: the requested file names of the runs that took over documents. */
  readonly #names = new Map<string, Set<string>>();

  constructor(journal: JobStore) {
    this.#journal = journal;
  }

  async add(batch: BatchRecord): Promise<void> {
    const { id, caller } = batch;
    if (caller === null || !reuses(batch)) return;
    const names = this.#names.get(caller) ?? new Set();
    this.#names.set(caller, names);
    for await (const { requestedName } of jobsOf(this.#journal, id)) {
      if (requestedName !== null) names.add(foldName(requestedName));
    }
  }

  /** Whether a later run took over or replaced documents of a batch. */
  async include({ id, caller }: BatchRecord): Promise<boolean> {
    const names = caller === null ? undefined : this.#names.get(caller);
    if (names === undefined) return false;
    for await (const { requestedName } of jobsOf(this.#journal, id)) {
      if (requestedName !== null && names.has(foldName(requestedName))) return true;
    }
    return false;
  }
}
