import { setImmediate as nextTurn } from "node:timers/promises";
import {
  isQuireError,
  type JobFailure,
  jobStoreProblems,
  type NewBatch,
  type NewBatchOptions,
  type NewJob,
  QuireError,
  type ReserveName,
  toFailure,
} from "@quire/core";
import { chunkStarts, packChunk } from "./chunks.ts";
import type { Database, Row } from "./database.ts";
import type { Ledger } from "./ledger.ts";
import { folderNo, reserverOf } from "./names.ts";
import { pinFile } from "./pins.ts";
import { slicesOf } from "./slices.ts";
import { BATCH, STATUS } from "./states.ts";

/** What an acceptance needs. */
export interface Acceptance {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly maxWaiting: number;
  /** Whoever holds the lease while a batch is accepted in several slices. */
  readonly workerNo: () => Promise<number>;
}

/** How a batch was accepted: by its number, and whether it was known before. */
export interface Accepted {
  readonly batchNo: number;
  readonly created: boolean;
}

/** Writes a batch: in one transaction when it fits, else slice by slice, and seen by nobody until the last. */
export async function accept(
  acceptance: Acceptance,
  made: NewBatch,
  jobs: AsyncIterable<NewJob> | Iterable<NewJob>,
  hash: () => string,
  options: NewBatchOptions,
): Promise<Accepted> {
  const draft = new Draft(acceptance, made, options);
  try {
    for await (const slice of slicesOf(jobs, options.signal)) {
      if (slice.isLast) return draft.finish(slice.jobs, hash);
      await draft.add(slice.jobs);
      await nextTurn();
    }
    throw jobStoreProblems.noJobs();
  } catch (error) {
    draft.discard();
    throw error;
  }
}

/** A batch that is being written. */
class Draft {
  readonly #acceptance: Acceptance;
  readonly #made: NewBatch;
  readonly #options: NewBatchOptions;
  /** The batch's number when a part of it is written. */
  #batchNo: number | null = null;
  #reserve: ReserveName | null = null;
  #isKnown: boolean | null = null;
  #count = 0;
  #failed = 0;

  constructor(acceptance: Acceptance, made: NewBatch, options: NewBatchOptions) {
    this.#acceptance = acceptance;
    this.#made = made;
    this.#options = options;
  }

  async add(jobs: readonly NewJob[]): Promise<void> {
    const { database, workerNo } = this.#acceptance;
    // What is known is read to its end for its hash alone.
    this.#isKnown ??= this.#findKnown() !== undefined;
    if (this.#isKnown) return;
    this.#assertWelcome();
    const owner = this.#batchNo === null ? await workerNo() : null;
    database.transaction(() => {
      this.#assertRoom(jobs.length);
      this.#assertHeld();
      this.#batchNo ??= this.#insertBatch(owner);
      this.#insertJobs(this.#batchNo, jobs);
    });
  }

  /** Writes the rest, and makes the batch one that others see. */
  finish(jobs: readonly NewJob[], hash: () => string): Accepted {
    const { database, ledger } = this.#acceptance;
    const accepted = database.transaction(() => {
      const known = this.#known(hash);
      if (known !== null) return { batchNo: known, created: false };
      if (this.#isKnown === true) throw deletedMeanwhile();
      this.#assertWelcome();
      this.#assertRoom(jobs.length);
      this.#assertHeld();
      const batchNo = this.#batchNo ?? this.#insertBatch(null);
      this.#insertJobs(batchNo, jobs);
      const requestHash = this.#made.idempotencyKey === null ? null : hash();
      database.run(
        "UPDATE batch SET request_hash = ?, worker_no = NULL WHERE no = ?",
        requestHash,
        batchNo,
      );
      database.run("UPDATE queue SET waiting = waiting + ?", this.#count - this.#failed);
      ledger.activate(batchNo, this.#made.tenant);
      ledger.tell(batchNo, "batch_accepted", null);
      this.#tellFailed(batchNo);
      ledger.count(batchNo, { submitted: this.#count - this.#failed, failed: this.#failed });
      return { batchNo, created: true };
    });
    if (!accepted.created) this.discard();
    return accepted;
  }

  /** What was written of it is deleted with the next that is tidied up; its names are free at once. */
  discard(): void {
    if (this.#batchNo === null) return;
    const { database } = this.#acceptance;
    const batchNo = this.#batchNo;
    try {
      database.transaction(() =>
        database.run(
          `UPDATE batch SET state = ${BATCH.deleting}, id = 'deleted ' || no || ' ' || id WHERE no = ? AND state = ${BATCH.accepting}`,
          batchNo,
        ),
      );
    } catch {
      // Then it is found when its owner's lease has run out.
    }
  }

  /** The number of the batch that has the same key. Throws `conflict` for another request. */
  #known(hash: () => string): number | null {
    const row = this.#findKnown();
    if (row === undefined) return null;
    if (row.request_hash !== hash()) {
      throw jobStoreProblems.otherRequest(this.#made.idempotencyKey ?? "");
    }
    return Number(row.no);
  }

  #findKnown(): Row | undefined {
    const { tenant, idempotencyKey } = this.#made;
    return this.#acceptance.database.get(
      "SELECT no, request_hash FROM batch WHERE tenant = ? AND idempotency_key = ? AND state IN (1, 2)",
      tenant,
      idempotencyKey,
    );
  }

  #assertWelcome(): void {
    if (this.#options.refusal !== undefined) throw this.#options.refusal;
  }

  #assertRoom(more: number): void {
    const { database, maxWaiting } = this.#acceptance;
    const waiting = Number(database.get("SELECT waiting FROM queue")?.waiting);
    if (waiting + this.#count + more > maxWaiting) throw jobStoreProblems.full(maxWaiting);
  }

  /** Who stood still for so long that the lease has run out finds the batch given up. */
  #assertHeld(): void {
    if (this.#batchNo === null) return;
    const batch = this.#acceptance.database.get(
      "SELECT state FROM batch WHERE no = ?",
      this.#batchNo,
    );
    if (batch?.state !== BATCH.accepting) throw jobStoreProblems.leaseLost();
  }

  #insertBatch(owner: number | null): number {
    const { database } = this.#acceptance;
    const made = this.#made;
    const row = database.get(
      `INSERT INTO batch (id, state, tenant, weight, caller, idempotency_key, template_id,
         template_version, folder_no, output_type, needs_converter, on_conflict, with_events, settings,
         created_at, worker_no)
       VALUES (?, ${BATCH.accepting}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING no, folder_no`,
      made.id,
      made.tenant,
      made.weight,
      made.caller,
      made.idempotencyKey,
      made.template.id,
      made.template.version,
      folderNo(database, made.folder.id),
      made.outputType,
      made.needsConverter ? 1 : 0,
      made.onConflict,
      made.withEvents ? 1 : 0,
      made.settings,
      Date.now(),
      owner,
    );
    const batchNo = Number(row?.no);
    const of = { batchNo, folderNo: Number(row?.folder_no) };
    this.#reserve = reserverOf(database, of, this.#options.isTaken);
    pinFile(database, batchNo, made.template.id, made.templateBytes);
    return batchNo;
  }

  #insertJobs(batchNo: number, jobs: readonly NewJob[]): void {
    const { database } = this.#acceptance;
    const inputs = jobs.map(({ input }) => input);
    const starts = chunkStarts(inputs);
    for (const [index, start] of starts.entries()) {
      const data = packChunk(inputs.slice(start, starts[index + 1]));
      database.run("INSERT INTO chunk VALUES (?, ?, ?)", batchNo, this.#count + 1 + start, data);
    }
    for (const job of jobs) this.#insertJob(batchNo, job);
  }

  #insertJob(batchNo: number, job: NewJob): void {
    const { database } = this.#acceptance;
    const { fileName, failure } = this.#reserveName(job);
    this.#count += 1;
    const wanted = fileName === job.fileName ? null : job.fileName;
    const isBad = job.input === null ? 1 : 0;
    const values = [batchNo, this.#count, isBad, job.requestedName, wanted] as const;
    if (failure === null) {
      database.run(
        "INSERT INTO job (batch_no, entry, is_bad, requested_name, wanted_name, status, file_name) VALUES (?, ?, ?, ?, ?, 0, ?)",
        ...values,
        fileName,
      );
      return;
    }
    this.#failed += 1;
    const ended = database.get("UPDATE queue SET ended = ended + 1 RETURNING ended")?.ended ?? 0;
    database.run(
      `INSERT INTO job (batch_no, entry, is_bad, requested_name, wanted_name, status, failure, ended_at, ended)
       VALUES (?, ?, ?, ?, ?, ${STATUS.failed}, ?, ?, ?)`,
      ...values,
      JSON.stringify(failure),
      Date.now(),
      ended,
    );
  }

  #reserveName({ fileName, failure }: NewJob): {
    readonly fileName: string | null;
    readonly failure: JobFailure | null;
  } {
    if (failure !== null || fileName === null) return { fileName: null, failure };
    try {
      const name = this.#reserve?.(fileName, this.#made.onConflict) ?? null;
      return { fileName: name, failure: null };
    } catch (error) {
      if (!isQuireError(error)) throw error;
      return { fileName: null, failure: toFailure(error) };
    }
  }

  #tellFailed(batchNo: number): void {
    if (!this.#made.withEvents || this.#failed === 0) return;
    this.#acceptance.database.run(
      `INSERT INTO event (type, batch_no, entry, at)
       SELECT 'job_failed', batch_no, entry, ended_at FROM job WHERE batch_no = ? AND status = 4 ORDER BY entry`,
      batchNo,
    );
  }
}

function deletedMeanwhile(): QuireError {
  return new QuireError(
    "job_store_failed",
    "The batch that has the same idempotency key was deleted while it was submitted again. Submit it once more.",
    { retryable: true },
  );
}
