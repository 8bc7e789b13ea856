import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import {
  createTurns,
  jobStoreProblems,
  type NewBatch,
  type NewBatchOptions,
  type NewJob,
  QuireError,
  slicesOf,
  throwIfAborted,
} from "@quire/contracts";
import { BatchRows } from "./batch-rows.ts";
import type { Database, Row } from "./database/database.ts";
import { monotonicMs } from "./database/machine.ts";
import { BATCH, STATUS } from "./database/states.ts";
import type { Writer } from "./database/writer.ts";
import type { JobTransitions } from "./lease/job-transitions.ts";
import type { NewFile } from "./templates/large-files.ts";
import type { Pins } from "./templates/pins.ts";

/** Number of jobs that are written in one transaction, which blocks the event loop for some milliseconds. */
const SLICE_JOBS = 100;
/** How often to check whether a concurrent batch with the same idempotency key has been accepted. */
const TWIN_POLL_MS = 50;
/** Smaller batches share a transaction with other writes: their main cost is the sync to disk. */
const SMALL_JOBS = 16;
const SMALL_BYTES = 64_000;
/** If a turn of the event loop takes longer, other work must have run in it. */
const OTHERS_MS = 0.5;
const MAX_REST_MS = 50;

/** Dependencies of an acceptance. */
export interface Acceptance {
  readonly database: Database;
  readonly writer: Writer;
  readonly transitions: JobTransitions;
  readonly pins: Pins;
  readonly maxWaiting: number;
  /** The worker that holds the lease while a batch is accepted in several slices. */
  readonly workerNo: () => Promise<number>;
}

/** The number of an accepted batch, and whether this request created it. */
export interface Accepted {
  readonly batchNo: number;
  readonly created: boolean;
}

/** Writes a batch: in one transaction if it is small, otherwise in slices, visible only after the last one. */
export function accept(
  acceptance: Acceptance,
  made: NewBatch,
  jobs: AsyncIterable<NewJob> | Iterable<NewJob>,
  hash: () => string,
  options: NewBatchOptions,
): Promise<Accepted> {
  return acceptance.pins.with(made.templateBytes, (template) => {
    const draft = new Draft(acceptance, made, template, options);
    return write(draft, jobs, hash, options.signal);
  });
}

async function write(
  draft: Draft,
  jobs: AsyncIterable<NewJob> | Iterable<NewJob>,
  hash: () => string,
  signal: AbortSignal | undefined,
): Promise<Accepted> {
  const turns = createTurns();
  try {
    draft.assertWelcome();
    for await (const slice of slicesOf(jobs, SLICE_JOBS, signal)) {
      if (slice.isLast) return await draft.finish(slice.jobs, hash);
      // Each turn of the event loop writes one slice, regardless of the number of batches that are being accepted.
      await turns.begin();
      await letOthersGoOn(await draft.add(slice.jobs));
    }
    throw jobStoreProblems.noJobs();
  } catch (error) {
    await draft.discard();
    throw error;
  }
}

/** Yields to other work. If other work ran, pauses for as long as the last slice took, at most `MAX_REST_MS`. */
async function letOthersGoOn(tookMs: number): Promise<void> {
  const begunAt = performance.now();
  await nextTurn();
  if (performance.now() - begunAt > OTHERS_MS) await wait(Math.min(tookMs, MAX_REST_MS));
}

/** A batch that is being written. */
class Draft {
  readonly #acceptance: Acceptance;
  readonly #made: NewBatch;
  readonly #options: NewBatchOptions;
  /** The batch's number; null until a slice of the batch is written. */
  #batchNo: number | null = null;
  readonly #rows: BatchRows;
  #isKnown: boolean | null = null;

  constructor(acceptance: Acceptance, made: NewBatch, template: NewFile, options: NewBatchOptions) {
    this.#acceptance = acceptance;
    this.#made = made;
    this.#options = options;
    this.#rows = new BatchRows(acceptance, made, template, options.isTaken);
  }

  /** Throws the refusal, if there is one and the batch has not already been accepted. */
  assertWelcome(): void {
    const { refusal } = this.#options;
    if (refusal === undefined) return;
    this.#isKnown = this.#findKnown() !== undefined;
    if (!this.#isKnown) throw refusal;
  }

  /** Returns how long the write blocked the event loop. */
  async add(jobs: readonly NewJob[]): Promise<number> {
    const { database, writer, workerNo } = this.#acceptance;
    let tookMs = 0;
    const write = (owner: number | null): number | null => {
      const begunAt = performance.now();
      const batchNo = database.part(() => this.#addSlice(owner, jobs));
      tookMs = performance.now() - begunAt;
      return batchNo;
    };
    // The jobs of a known batch are read only for their hash.
    this.#isKnown ??= this.#findKnown() !== undefined;
    while (!this.#isKnown) {
      const owner = this.#batchNo === null ? await workerNo() : null;
      const batchNo = await writer.write(() => write(owner), { isLong: true });
      if (batchNo !== null) {
        // Set only after the commit, because after a rollback, another batch may get this number.
        this.#batchNo = batchNo;
        return tookMs;
      }
      await wait(TWIN_POLL_MS);
      throwIfAborted(this.#options.signal);
      this.#isKnown = this.#findKnown() !== undefined;
    }
    return tookMs;
  }

  /** Returns the batch's number; null if nothing was written because the same batch is being accepted elsewhere. */
  #addSlice(owner: number | null, jobs: readonly NewJob[]): number | null {
    if (this.#batchNo === null && this.#hasTwin()) {
      this.#acceptance.transitions.reap(monotonicMs()); // the other batch may have been abandoned
      return null;
    }
    this.#assertRoom(jobs.length);
    this.#assertHeld();
    const batchNo = this.#batchNo ?? this.#rows.insertBatch(owner);
    this.#rows.insertJobs(batchNo, jobs);
    return batchNo;
  }

  /**
   * Whether another batch with the same key is being accepted. That batch holds the names that this batch would
   * reserve.
   */
  #hasTwin(): boolean {
    const { tenant, idempotencyKey } = this.#made;
    if (idempotencyKey === null) return false;
    const twin = this.#acceptance.database.get(
      `SELECT 1 FROM batch WHERE state = ${BATCH.accepting} AND tenant = ? AND idempotency_key = ?`,
      tenant,
      idempotencyKey,
    );
    return twin !== undefined;
  }

  /** Writes the remaining jobs, and makes the batch visible. */
  async finish(jobs: readonly NewJob[], hash: () => string): Promise<Accepted> {
    const { database, writer } = this.#acceptance;
    const write = (): Accepted => database.part(() => this.#finish(jobs, hash));
    const accepted = await writer.write(write, { isLong: !isSmall(jobs) });
    if (!accepted.created) await this.discard();
    return accepted;
  }

  #finish(jobs: readonly NewJob[], hash: () => string): Accepted {
    const { database, transitions } = this.#acceptance;
    const known = this.#known(hash);
    if (known !== null) return { batchNo: known, created: false };
    if (this.#isKnown === true) throw deletedMeanwhile();
    this.#assertRoom(jobs.length);
    this.#assertHeld();
    const batchNo = this.#batchNo ?? this.#rows.insertBatch(null);
    this.#rows.insertJobs(batchNo, jobs);
    const requestHash = this.#made.idempotencyKey === null ? null : hash();
    database.run(
      "UPDATE batch SET request_hash = ?, worker_no = NULL WHERE no = ?",
      requestHash,
      batchNo,
    );
    const { count, ended } = this.#rows;
    const submitted = count - ended.completed - ended.completed_with_error - ended.failed;
    database.run("UPDATE queue SET waiting = waiting + ?", submitted);
    transitions.activate(batchNo, this.#made.tenant);
    transitions.recordEvent(batchNo, "batch_accepted", null);
    if (submitted < count) this.#recordEndEvents(batchNo);
    transitions.count(batchNo, { submitted, ...ended });
    return { batchNo, created: true };
  }

  /** Marks the unfinished batch for deletion. Its names become free immediately; `tidy` deletes its rows. */
  async discard(): Promise<void> {
    if (this.#batchNo === null) return;
    const { database, writer } = this.#acceptance;
    const batchNo = this.#batchNo;
    try {
      await writer.write(() =>
        database.run(
          `UPDATE batch SET state = ${BATCH.deleting}, id = 'deleted ' || no || ' ' || id WHERE no = ? AND state = ${BATCH.accepting}`,
          batchNo,
        ),
      );
    } catch {
      // The batch is deleted after its owner's lease has expired.
    }
  }

  /**
   * Returns the number of the batch with the same key, or null. Throws `conflict` if that batch came from
   * a different request.
   */
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

  #assertRoom(more: number): void {
    const { database, maxWaiting } = this.#acceptance;
    const waiting = Number(database.get("SELECT waiting FROM queue")?.waiting);
    if (waiting + this.#rows.count + more > maxWaiting) throw jobStoreProblems.full(maxWaiting);
  }

  /** Throws if the lease expired during a pause, because the batch has then been given up. */
  #assertHeld(): void {
    if (this.#batchNo === null) return;
    const batch = this.#acceptance.database.get(
      "SELECT state FROM batch WHERE no = ?",
      this.#batchNo,
    );
    if (batch?.state !== BATCH.accepting) throw jobStoreProblems.leaseLost();
  }

  #recordEndEvents(batchNo: number): void {
    if (!this.#made.withEvents) return;
    this.#acceptance.database.run(
      `INSERT INTO event (type, batch_no, entry, at)
       SELECT CASE status WHEN ${STATUS.failed} THEN 'job_failed' ELSE 'job_succeeded' END, batch_no, entry, ended_at
       FROM job WHERE batch_no = ? AND ended_at IS NOT NULL ORDER BY entry`,
      batchNo,
    );
  }
}

function isSmall(jobs: readonly NewJob[]): boolean {
  const bytes = jobs.reduce((sum, { input }) => sum + (input?.bytes.length ?? 0), 0);
  return jobs.length <= SMALL_JOBS && bytes <= SMALL_BYTES;
}

function deletedMeanwhile(): QuireError {
  return new QuireError(
    "job_store_failed",
    "The batch with the same idempotency key was deleted while you submitted it again. Submit it once more.",
    { retryable: true },
  );
}
