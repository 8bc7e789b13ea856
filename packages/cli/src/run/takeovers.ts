import { type BatchRecord, foldName, type JobRecord, type JobStore } from "@quire/core/host";
import { jobsOf } from "./journal-pages.ts";
import { chosenIn, reuses } from "./key.ts";

/**
 * Finds documents that a later run took over or replaced. Runs with other file names in the same folder are not
 * affected. Batches must come newest first.
 */
export class Takeovers {
  readonly #journal: JobStore;
  /** By folder, the file names that were requested by runs of all entries that take over documents. */
  readonly #all = new Map<string, Set<string>>();
  /** The same for runs of chosen entries. */
  readonly #some = new Map<string, Set<string>>();

  constructor(journal: JobStore) {
    this.#journal = journal;
  }

  async add(batch: BatchRecord): Promise<void> {
    const { id, caller } = batch;
    if (caller === null || !reuses(batch)) return;
    const byFolder = chosenIn(batch) === null ? this.#all : this.#some;
    const names = byFolder.get(caller) ?? new Set();
    byFolder.set(caller, names);
    for await (const { requestedName } of jobsOf(this.#journal, id)) {
      if (requestedName !== null) names.add(foldName(requestedName));
    }
  }

  /** Whether a later run took over or replaced documents of a batch. */
  async include(batch: BatchRecord): Promise<boolean> {
    return (await this.includeAllOf(batch)) || (await this.#shares(batch, this.#some));
  }

  /** Whether a later run of all entries took over or replaced documents of a batch. If so, the batch is not current. */
  async includeAllOf(batch: BatchRecord): Promise<boolean> {
    return this.#shares(batch, this.#all);
  }

  /** Whether a later run of chosen entries took over or replaced the document of a job, or failed to make it. */
  includeJob({ caller }: BatchRecord, { requestedName }: JobRecord): boolean {
    const names = caller === null ? undefined : this.#some.get(caller);
    return requestedName !== null && names?.has(foldName(requestedName)) === true;
  }

  async #shares(
    { id, caller }: BatchRecord,
    byFolder: ReadonlyMap<string, ReadonlySet<string>>,
  ): Promise<boolean> {
    const names = caller === null ? undefined : byFolder.get(caller);
    if (names === undefined) return false;
    for await (const { requestedName } of jobsOf(this.#journal, id)) {
      if (requestedName !== null && names.has(foldName(requestedName))) return true;
    }
    return false;
  }
}
