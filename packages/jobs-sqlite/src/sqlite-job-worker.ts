import {
  type Claim,
  type Claimed,
  type ClaimOptions,
  type JobWorker,
  type JobWorkerOptions,
  jobStoreProblems,
  type Outcome,
  type OutputNote,
  type TakenEvent,
  WorkWatch,
} from "@quire/contracts";
import { claimJobs, claimSuspect } from "./claim.ts";
import type { Database, Row } from "./database/database.ts";
import { monotonicMs } from "./database/machine.ts";
import type { Writer } from "./database/writer.ts";
import { deleteEvents, hasEvents, takeEvents } from "./events.ts";
import { Inputs } from "./inputs.ts";
import type { JobTransitions } from "./lease/job-transitions.ts";
import type { Lease } from "./lease/lease.ts";
import { watchWork } from "./lease/work-events.ts";
import { reserverOf } from "./name-reservations.ts";
import type { Pins } from "./templates/pins.ts";
import { tidy } from "./tidy.ts";

/** Dependencies of a worker. */
export interface WorkerContext {
  readonly database: Database;
  readonly writer: Writer;
  readonly transitions: JobTransitions;
  readonly pins: Pins;
  readonly lease: Lease;
  readonly options: JobWorkerOptions;
  readonly onClose: () => void;
}

/** An SQL condition that matches the job of a claim if this worker still owns the job. */
const OWN =
  "batch_no = (SELECT no FROM batch WHERE id = ?) AND entry = ? AND status = 1 AND job.worker_no = ? AND attempts = ?";

export class SqliteJobWorker implements JobWorker {
  readonly #context: WorkerContext;
  readonly #inputs: Inputs;
  readonly #watch = new WorkWatch();
  readonly #unwatch: () => void;
  #closed = false;

  constructor(context: WorkerContext) {
    this.#context = context;
    this.#unwatch = watchWork(context.database.path, this.#watch);
    this.lost.addEventListener("abort", () => this.#watch.end(), { once: true });
    this.#inputs = new Inputs(context.database);
  }

  get lost(): AbortSignal {
    return this.#context.lease.lost;
  }

  get isHeld(): boolean {
    return !this.#closed && this.#context.lease.isHeld;
  }

  async claim(
    limit: number,
    { alone = false, maxBytes = Number.POSITIVE_INFINITY, without }: ClaimOptions = {},
  ): Promise<Claimed> {
    const { database, transitions, options } = this.#context;
    this.#watch.claims();
    const claimed = await this.#write(() => {
      const now = monotonicMs();
      transitions.reap(now);
      this.#assertRegistered();
      const claimer = {
        database,
        transitions,
        inputs: this.#inputs,
        workerNo: this.#workerNo,
        takes: options.takes,
        now,
        withoutTenants: JSON.stringify(without?.tenants ?? []),
        withoutBatches: JSON.stringify(without?.batches ?? []),
      };
      return alone ? claimSuspect(claimer) : claimJobs(claimer, limit, maxBytes);
    });
    this.#watch.claimed(claimed.jobs.length);
    return claimed;
  }

  waitForWork(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#watch.wait(ms, signal);
  }

  async setBegun(claim: Claim, begun: boolean): Promise<void> {
    await this.#writeOwn(() => {
      const marked = this.#context.database.run(
        `UPDATE job SET begun = ? WHERE ${OWN}`,
        begun ? 1 : 0,
        ...this.#owned(claim),
      );
      if (marked === 0) throw jobStoreProblems.leaseLost();
    });
  }

  async note(claim: Claim, note: OutputNote): Promise<void> {
    await this.#writeOwn(() => {
      const noted = this.#context.database.run(
        `UPDATE job SET notes = json_insert(coalesce(notes, '[]'), '$[#]', json(?)) WHERE ${OWN}`,
        JSON.stringify(note),
        ...this.#owned(claim),
      );
      if (noted === 0) throw jobStoreProblems.leaseLost();
    });
  }

  rename(claim: Claim): Promise<string> {
    const { database } = this.#context;
    return this.#writeOwn(() => {
      const job = this.#own(claim);
      const of = { batchNo: Number(job.batch_no), folderNo: Number(job.folder_no) };
      const wanted = String(job.wanted_name);
      const policy = job.on_conflict === "fail" ? "fail" : "rename";
      const name = reserverOf(database, of, () => false)(wanted, policy);
      database.run(
        "UPDATE job SET file_name = ?, wanted_name = ? WHERE batch_no = ? AND entry = ?",
        name,
        wanted,
        of.batchNo,
        claim.entry,
      );
      return name;
    });
  }

  async settle(claim: Claim, outcome: Outcome): Promise<boolean> {
    const batchFinished = await this.#writeOwn(() => this.#settle(claim, outcome));
    return batchFinished;
  }

  #settle(claim: Claim, outcome: Outcome): boolean {
    const { database, transitions } = this.#context;
    const batchNo = Number(this.#own(claim).batch_no);
    switch (outcome.type) {
      case "completed": {
        const { result } = outcome;
        return transitions.end(batchNo, claim.entry, "pending", { status: result.status, result });
      }
      case "failed": {
        const { failure } = outcome;
        return transitions.end(batchNo, claim.entry, "pending", { status: "failed", failure });
      }
      case "again":
        database.run(
          "UPDATE job SET failures = failures + 1 WHERE batch_no = ? AND entry = ?",
          batchNo,
          claim.entry,
        );
        return transitions.putBack(batchNo, claim.entry, readyAt(outcome.delayMs));
      case "released":
        return transitions.putBack(batchNo, claim.entry, readyAt(outcome.delayMs));
    }
  }

  async pinned(
    batchId: string,
    fileId: string,
    read: () => Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    const { database, pins } = this.#context;
    const known = await pins.read(batchId, fileId);
    if (known !== null) return known;
    const bytes = await read();
    await pins.with(bytes, (file) =>
      this.#write(() => {
        const batch = database.get("SELECT no FROM batch WHERE id = ?", batchId);
        if (batch !== undefined) pins.keep(Number(batch.no), fileId, file);
      }),
    );
    return (await pins.read(batchId, fileId)) ?? bytes;
  }

  async takeEvents(limit: number): Promise<readonly TakenEvent[]> {
    const { database } = this.#context;
    // Checks with a query first, because there are usually no events.
    this.#assertRegistered();
    if (!hasEvents(database)) return [];
    return this.#write(() => {
      this.#assertRegistered();
      return takeEvents(database, this.#workerNo, limit);
    });
  }

  async tellEvents(sequences: readonly number[]): Promise<void> {
    await this.#write(() => deleteEvents(this.#context.database, sequences));
  }

  tidy(): Promise<boolean> {
    return this.#write(() => tidy(this.#context, this.#context.options.keepFinishedMs));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    const { lease, writer, transitions, onClose } = this.#context;
    try {
      if (!lease.lost.aborted)
        await writer.write(() => transitions.dismiss(this.#workerNo, "closed"));
    } finally {
      this.#closed = true;
      this.#unwatch();
      this.#watch.end();
      lease.close();
      onClose();
    }
  }

  get #workerNo(): number {
    return this.#context.lease.workerNo;
  }

  async #write<T>(body: () => T): Promise<T> {
    if (this.#closed) throw jobStoreProblems.closed();
    if (this.lost.aborted) throw jobStoreProblems.leaseLost();
    return this.#context.writer.write(body);
  }

  /** Runs a write for a claim. A closed worker no longer has claims. */
  async #writeOwn<T>(body: () => T): Promise<T> {
    if (this.#closed) throw jobStoreProblems.leaseLost();
    return this.#write(body);
  }

  /** Throws if the worker's row was deleted because its lease had expired. */
  #assertRegistered(): void {
    const { database, lease } = this.#context;
    if (database.get("SELECT 1 FROM worker WHERE no = ?", this.#workerNo) !== undefined) return;
    lease.lose();
    throw jobStoreProblems.leaseLost();
  }

  /** Returns the row of the claimed job. Throws `lease_lost` if this worker no longer owns the job. */
  #own(claim: Claim): Row {
    const job = this.#context.database.get(
      `SELECT batch_no, coalesce(wanted_name, file_name) AS wanted_name, on_conflict, folder_no
       FROM batch JOIN job ON batch_no = no WHERE ${OWN}`,
      ...this.#owned(claim),
    );
    if (job === undefined) throw jobStoreProblems.leaseLost();
    return job;
  }

  #owned({ batchId, entry, attempt }: Claim): [string, number, number, number] {
    return [batchId, entry, this.#workerNo, attempt];
  }
}

/** When a job is ready again; 0: immediately. */
function readyAt(delayMs = 0): number {
  return delayMs === 0 ? 0 : monotonicMs() + delayMs;
}
