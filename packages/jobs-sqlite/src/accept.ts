import { hash as digest } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  abortedError,
  type JobFailure,
  jobStoreProblems,
  type NewBatch,
  type NewBatchOptions,
  type NewJob,
  type ReserveName,
  throwIfAborted,
  toFailure,
  withExtension,
} from "@quire/core";
import { chunkStarts, packChunk } from "./chunks.ts";
import type { Database } from "./database.ts";
import type { Ledger } from "./ledger.ts";
import { folderNo, reserverOf } from "./names.ts";
import { BATCH, STATUS } from "./states.ts";

/** So many jobs, or so many bytes of data, are written at once. */
const SLICE_JOBS = 1000;
const SLICE_BYTES = 4_000_000;

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

interface Slice {
  readonly jobs: readonly NewJob[];
  readonly isLast: boolean;
}

async function* slicesOf(
  jobs: AsyncIterable<NewJob> | Iterable<NewJob>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Slice> {
  let slice: NewJob[] = [];
  let bytes = 0;
  for await (const job of jobs) {
    throwIfAborted(signal);
    if (slice.length >= SLICE_JOBS || bytes >= SLICE_BYTES) {
      yield { jobs: slice, isLast: false };
      [slice, bytes] = [[], 0];
    }
    slice.push(job);
    bytes += job.input?.bytes.length ?? 0;
  }
  if (signal?.aborted) throw abortedError(signal);
  if (slice.length > 0) yield { jobs: slice, isLast: true };
}

/** A batch that is being written. */
class Draft {
  readonly #acceptance: Acceptance;
  readonly #made: NewBatch;
  readonly #options: NewBatchOptions;
  /** The batch's number when a part of it is written. */
  #batchNo: number | null = null;
  #reserve: ReserveName | null = null;
  #count = 0;
  #failed = 0;

  constructor(acceptance: Acceptance, made: NewBatch, options: NewBatchOptions) {
    this.#acceptance = acceptance;
    this.#made = made;
    this.#options = options;
  }

  async add(jobs: readonly NewJob[]): Promise<void> {
    const { database, workerNo } = this.#acceptance;
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
          `UPDATE batch SET state = ${BATCH.deleting} WHERE no = ? AND state = ${BATCH.accepting}`,
          batchNo,
        ),
      );
    } catch {
      // Then it is found when its owner's lease has run out.
    }
  }

  /** The number of the batch that has the same key. Throws `conflict` for another request. */
  #known(hash: () => string): number | null {
    const { tenant, idempotencyKey } = this.#made;
    if (idempotencyKey === null) return null;
    const row = this.#acceptance.database.get(
      "SELECT no, request_hash FROM batch WHERE tenant = ? AND idempotency_key = ? AND state IN (1, 2)",
      tenant,
      idempotencyKey,
    );
    if (row === undefined) return null;
    if (row.request_hash !== hash()) throw jobStoreProblems.otherRequest(idempotencyKey);
    return Number(row.no);
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
    const values = [batchNo, this.#count, job.input === null ? 1 : 0, job.requestedName] as const;
    if (failure === null) {
      database.run(
        "INSERT INTO job (batch_no, entry, is_bad, requested_name, status, file_name) VALUES (?, ?, ?, ?, 0, ?)",
        ...values,
        fileName,
      );
      return;
    }
    this.#failed += 1;
    const ended = database.get("UPDATE queue SET ended = ended + 1 RETURNING ended")?.ended ?? 0;
    database.run(
      `INSERT INTO job (batch_no, entry, is_bad, requested_name, status, failure, ended_at, ended)
       VALUES (?, ?, ?, ?, ${STATUS.failed}, ?, ?, ?)`,
      ...values,
      JSON.stringify(failure),
      Date.now(),
      ended,
    );
  }

  #reserveName({ requestedName, fileName, failure }: NewJob): {
    readonly fileName: string | null;
    readonly failure: JobFailure | null;
  } {
    if (failure !== null || fileName === null) return { fileName: null, failure };
    const { outputType, onConflict } = this.#made;
    const wanted = withExtension(requestedName ?? fileName, outputType);
    try {
      return { fileName: this.#reserve?.(wanted, onConflict) ?? null, failure: null };
    } catch (error) {
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

/** Keeps a file for a batch, if none is kept under that id. */
export function pinFile(
  database: Database,
  batchNo: number,
  fileId: string,
  bytes: Uint8Array,
): void {
  const sha256 = digest("sha256", bytes);
  const isNew = database.run("INSERT OR IGNORE INTO pin VALUES (?, ?, ?)", batchNo, fileId, sha256);
  if (isNew === 1) database.run("INSERT OR IGNORE INTO file VALUES (?, ?)", sha256, bytes);
}
