import { toFailure } from "../batch/job-failure.ts";
import { jobStoreProblems } from "../batch/job-store-problems.ts";
import { nameReserver, type ReserveName } from "../batch/reserve-name.ts";
import { throwIfAborted } from "../errors.ts";
import type { BatchRecord, JobRecord, NewBatch, NewJob } from "../ports/job-records.ts";
import type {
  AcceptedBatch,
  BatchQuery,
  JobQuery,
  JobStore,
  JobWithInput,
  NewBatchOptions,
  RecordPage,
} from "../ports/job-store.ts";
import type { JobWorker, JobWorkerOptions } from "../ports/job-worker.ts";
import {
  batchRecord,
  failCancelled,
  isEnd,
  jobRecord,
  type MemoryBatch,
  type MemoryJob,
  MemoryState,
  wantedName,
} from "./job-state.ts";
import { memoryJobWorker } from "./job-worker.ts";

/** Options of {@link memoryJobStore}. */
export interface MemoryJobStoreOptions {
  /** So many jobs may wait or be in work, over all batches. Default 1,000,000. */
  readonly maxWaiting?: number;
}

/**
 * A job store in memory: the reference implementation of the port, and what an engine uses that is given
 * none. What was accepted is lost with the process, and every entry's data takes memory until its
 * document is made; for large or important batches use a durable store.
 */
export function memoryJobStore(options: MemoryJobStoreOptions = {}): JobStore {
  return new MemoryJobStore(options.maxWaiting ?? DEFAULT_MAX_WAITING);
}

const DEFAULT_MAX_WAITING = 1_000_000;

/** So many jobs are accepted before others have a turn on the event loop. */
const SLICE = 1000;

class MemoryJobStore implements JobStore {
  readonly durable = false;
  readonly #state = new MemoryState();
  readonly #maxWaiting: number;
  readonly #workers = new Set<JobWorker>();
  #closed = false;

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting;
  }

  async createBatch(
    made: NewBatch,
    jobs: AsyncIterable<NewJob> | Iterable<NewJob>,
    hash: () => string,
    options: NewBatchOptions,
  ): Promise<AcceptedBatch> {
    this.#assertOpen();
    const accepted: NewJob[] = [];
    for await (const job of jobs) {
      throwIfAborted(options.signal);
      this.#assertOpen();
      accepted.push(job);
      if (this.#state.waiting + accepted.length > this.#maxWaiting)
        throw jobStoreProblems.full(this.#maxWaiting);
      if (accepted.length % SLICE === 0) await new Promise(setImmediate);
    }
    throwIfAborted(options.signal);
    if (accepted.length === 0) throw jobStoreProblems.noJobs();
    // From here on nothing is awaited: it is all accepted, or nothing is.
    const key = keyOf(made);
    const known = key === null ? undefined : this.#state.keys.get(key);
    if (known !== undefined) {
      if (known.hash !== hash()) throw jobStoreProblems.otherRequest(made.idempotencyKey ?? "");
      return { batch: batchRecord(known), created: false };
    }
    const batch = this.#accept(made, accepted, key === null ? "" : hash(), options);
    return { batch: batchRecord(batch), created: true };
  }

  #accept(
    made: NewBatch,
    accepted: readonly NewJob[],
    hash: string,
    options: NewBatchOptions,
  ): MemoryBatch {
    const state = this.#state;
    const batch: MemoryBatch = {
      made,
      hash,
      jobs: accepted.map(newJob),
      pinned: new Map([[made.template.id, made.templateBytes]]),
      counts: {
        submitted: accepted.length,
        pending: 0,
        completed: 0,
        completed_with_error: 0,
        failed: 0,
      },
      createdAt: Date.now(),
      ended: [],
      next: 0,
      again: [],
      virtualTime: 0,
      cancelled: false,
      finishedAt: null,
    };
    state.batches.set(made.id, batch);
    const key = keyOf(made);
    if (key !== null) state.keys.set(key, batch);
    state.waiting += accepted.length;
    state.tell(batch, "batch_accepted", null);
    state.activate(batch);
    const reserve = this.#reserver(batch, options);
    const bad: MemoryJob[] = [];
    for (const job of batch.jobs) if (!reserveName(job, reserve, batch)) bad.push(job);
    for (const job of bad) state.move(batch, job, "failed");
    return batch;
  }

  async getBatch(batchId: string): Promise<BatchRecord | null> {
    this.#assertOpen();
    const batch = this.#state.batches.get(batchId);
    return batch === undefined ? null : batchRecord(batch);
  }

  async listBatches(query: BatchQuery): Promise<RecordPage<BatchRecord>> {
    this.#assertOpen();
    const batches = this.#newestFirst(query);
    const from = position(query.marker, query.limit);
    const items = batches.slice(from, from + query.limit).map(batchRecord);
    const end = from + items.length;
    return { items, nextMarker: end < batches.length ? String(end) : null };
  }

  async getJob(batchId: string, entry: number): Promise<JobWithInput | null> {
    this.#assertOpen();
    const batch = this.#state.batches.get(batchId);
    const job = batch?.jobs[entry - 1];
    if (batch === undefined || job === undefined) return null;
    return { job: jobRecord(batch, job), input: job.input };
  }

  async listJobs(query: JobQuery): Promise<RecordPage<JobRecord>> {
    this.#assertOpen();
    const from = position(query.marker, query.limit);
    if (query.order === "ended") return this.#listEnded(query, from);
    const { batchId } = query;
    const batches = batchId === undefined ? this.#newestFirst(query) : [this.#find(batchId)];
    const items: JobRecord[] = [];
    let at = 0;
    for (const batch of batches) {
      for (const job of batch.jobs) {
        at += 1;
        if (at <= from || (query.status ?? job.status) !== job.status) continue;
        if (items.length === query.limit) return { items, nextMarker: String(at - 1) };
        items.push(jobRecord(batch, job));
      }
    }
    return { items, nextMarker: null };
  }

  #listEnded({ batchId, limit, status }: JobQuery, from: number): RecordPage<JobRecord> {
    const batch = this.#find(batchId ?? "");
    const items: JobRecord[] = [];
    let at = from;
    for (; at < batch.ended.length && items.length < limit; at++) {
      const job = batch.ended[at];
      const isStale = job === undefined || job.endedIndex !== at || !isEnd(job.status);
      if (!isStale && (status ?? job.status) === job.status) items.push(jobRecord(batch, job));
    }
    return { items, nextMarker: String(at) };
  }

  async cancelBatch(batchId: string): Promise<BatchRecord> {
    this.#assertOpen();
    const batch = this.#find(batchId);
    if (batch.finishedAt === null && !batch.cancelled) {
      batch.cancelled = true;
      const open = batch.jobs.filter(({ status }) => status === "submitted");
      for (const job of open) failCancelled(this.#state, batch, job);
    }
    return batchRecord(batch);
  }

  async retryFailed(
    batchId: string,
    options: Pick<NewBatchOptions, "isTaken">,
  ): Promise<BatchRecord> {
    this.#assertOpen();
    const batch = this.#find(batchId);
    if (batch.finishedAt === null) throw jobStoreProblems.notFinished(batchId);
    const failed = batch.jobs.filter(({ status, input }) => status === "failed" && input !== null);
    if (failed.length === 0) return batchRecord(batch);
    if (this.#state.waiting + failed.length > this.#maxWaiting)
      throw jobStoreProblems.full(this.#maxWaiting);
    batch.finishedAt = null;
    batch.cancelled = false;
    this.#state.activate(batch);
    const reserve = this.#reserver(batch, options);
    const bad: MemoryJob[] = [];
    for (const job of failed) {
      Object.assign(job, { failure: null, endedAt: null, failures: 0, deaths: 0 });
      this.#state.putBack(batch, job, 0);
      if (!reserveName(job, reserve, batch)) bad.push(job);
    }
    for (const job of bad) this.#state.move(batch, job, "failed");
    return batchRecord(batch);
  }

  async openWorker(options: JobWorkerOptions): Promise<JobWorker> {
    this.#assertOpen();
    const worker = memoryJobWorker(this.#state, options, () => this.#workers.delete(worker));
    this.#workers.add(worker);
    return worker;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    for (const worker of [...this.#workers]) await worker.close();
    this.#closed = true;
  }

  #reserver(batch: MemoryBatch, { isTaken }: Pick<NewBatchOptions, "isTaken">): ReserveName {
    return nameReserver((folded) => !isTaken(folded) && this.#state.takeName(batch, folded));
  }

  #newestFirst({ tenant, caller, template }: BatchQuery | JobQuery): MemoryBatch[] {
    const all = [...this.#state.batches.values()].reverse();
    return all.filter(
      ({ made }) =>
        (tenant ?? made.tenant) === made.tenant &&
        (caller ?? made.caller) === made.caller &&
        (template ?? made.template.id) === made.template.id,
    );
  }

  #find(batchId: string): MemoryBatch {
    const batch = this.#state.batches.get(batchId);
    if (batch !== undefined) return batch;
    throw jobStoreProblems.noBatch(batchId);
  }

  #assertOpen(): void {
    if (this.#closed) throw jobStoreProblems.closed();
  }
}

function newJob(job: NewJob, index: number): MemoryJob {
  return {
    entry: index + 1,
    requestedName: job.requestedName,
    fileName: job.fileName,
    input: job.input,
    status: "submitted",
    readyAt: 0,
    attempts: 0,
    failures: 0,
    deaths: 0,
    worker: null,
    wasPutBack: false,
    notes: [],
    result: null,
    failure: job.failure,
    endedAt: null,
    endedIndex: -1,
  };
}

/** Gives a job its name; false when there is none for it, or it has failed before. */
function reserveName(job: MemoryJob, reserve: ReserveName, batch: MemoryBatch): boolean {
  if (job.failure !== null || job.fileName === null) return false;
  try {
    job.fileName = reserve(wantedName(batch, job), batch.made.onConflict);
    return true;
  } catch (error) {
    job.failure = toFailure(error);
    return false;
  }
}

function keyOf({ tenant, idempotencyKey }: NewBatch): string | null {
  return idempotencyKey === null ? null : JSON.stringify([tenant, idempotencyKey]);
}

/** Where a page begins. */
function position(marker: string | undefined, limit: number): number {
  const from = Number(marker ?? "0");
  if (!Number.isInteger(limit) || limit < 1) throw jobStoreProblems.badLimit();
  const isMarker = /^\d*$/.test(marker ?? "") && Number.isSafeInteger(from);
  if (!isMarker) throw jobStoreProblems.badMarker();
  return from;
}
