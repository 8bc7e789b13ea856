import {
  type AcceptedBatch,
  type BatchQuery,
  type BatchRecord,
  checkOptions,
  type JobGauge,
  type JobQuery,
  type JobRecord,
  type JobStore,
  type JobWithInput,
  type JobWorker,
  type JobWorkerOptions,
  jobStoreProblems,
  type NewBatch,
  type NewBatchOptions,
  type NewJob,
  type RecordPage,
  throwIfAborted,
} from "@quire/contracts";
import { depthOf, useOf } from "./job-gauge.ts";
import { listBatches, listEnded, listJobs } from "./job-lists.ts";
import { reserveNames } from "./job-names.ts";
import {
  batchRecord,
  failCancelled,
  jobRecord,
  type MemoryBatch,
  MemoryState,
  newJob,
} from "./job-state.ts";
import { expireWorkers, memoryJobWorker } from "./job-worker.ts";

/** Options of {@link memoryJobStore}. */
export interface MemoryJobStoreOptions {
  /** Maximum number of jobs that are waiting or in progress, over all batches. Default 1,000,000. */
  readonly maxWaiting?: number;
}

/**
 * Creates a job store in memory: the reference implementation of the port, and the default of an engine. Accepted
 * batches are lost with the process, and the data of every entry takes memory until its document exists. For large or
 * important batches, use a durable store.
 */
export function memoryJobStore(options: MemoryJobStoreOptions = {}): JobStore {
  checkOptions("memoryJobStore()", options, { maxWaiting: true });
  return new MemoryJobStore(options.maxWaiting ?? DEFAULT_MAX_WAITING);
}

const DEFAULT_MAX_WAITING = 1_000_000;

/** See {@link JobStore.group}. */
const GROUP = 16;
/** Number of jobs that are accepted before the event loop may do other work. */
const SLICE = 1000;

class MemoryJobStore implements JobStore {
  readonly durable = false;
  readonly group = GROUP;
  readonly gauge: JobGauge = {
    depth: async () => {
      this.#assertOpen();
      return depthOf(this.#state, this.#maxWaiting);
    },
    use: async (tenant) => {
      this.#assertOpen();
      return useOf(this.#state, tenant);
    },
  };
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
    if (options.refusal !== undefined && this.#known(made) === undefined) throw options.refusal;
    const accepted: NewJob[] = [];
    for await (const job of jobs) {
      throwIfAborted(options.signal);
      this.#assertOpen();
      accepted.push(job);
      this.#assertRoom(made, accepted.length);
      if (accepted.length % SLICE === 0) await new Promise(setImmediate);
    }
    throwIfAborted(options.signal);
    this.#assertOpen();
    if (accepted.length === 0) throw jobStoreProblems.noJobs();
    // From here on, nothing is awaited, so the batch is accepted completely or not at all.
    const known = this.#known(made);
    if (known !== undefined) {
      if (known.hash !== hash()) throw jobStoreProblems.otherRequest(made.idempotencyKey ?? "");
      return { batch: batchRecord(known), created: false };
    }
    if (options.refusal !== undefined) throw options.refusal;
    this.#assertRoom(made, accepted.length);
    const batch = this.#accept(made, accepted, keyOf(made) === null ? "" : hash(), options);
    return { batch: batchRecord(batch), created: true };
  }

  #accept(
    made: NewBatch,
    accepted: readonly NewJob[],
    hash: string,
    options: NewBatchOptions,
  ): MemoryBatch {
    const state = this.#state;
    state.lastBatch += 1;
    const batch: MemoryBatch = {
      number: state.lastBatch,
      // The bytes are kept with the pinned files, which are deleted when no more documents can be created.
      made: { ...made, templateBytes: new Uint8Array() },
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
      again: new Set(),
      virtualTime: 0,
      cancelled: false,
      finishedAt: null,
    };
    state.batches.set(made.id, batch);
    const key = keyOf(made);
    if (key !== null) state.keys.set(key, batch);
    state.waiting += accepted.length;
    state.recordEvent(batch, "batch_accepted", null);
    state.activate(batch);
    reserveNames(state, batch, batch.jobs, options);
    return batch;
  }

  async getBatch(batchId: string): Promise<BatchRecord | null> {
    this.#assertOpen();
    const batch = this.#state.batches.get(batchId);
    return batch === undefined ? null : batchRecord(batch);
  }

  async listBatches(query: BatchQuery): Promise<RecordPage<BatchRecord>> {
    this.#assertOpen();
    return listBatches(this.#state, query);
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
    return query.order === "ended" ? listEnded(this.#state, query) : listJobs(this.#state, query);
  }

  async cancelBatch(batchId: string): Promise<BatchRecord> {
    this.#assertOpen();
    const batch = this.#state.find(batchId);
    if (batch.finishedAt === null && !batch.cancelled) {
      batch.cancelled = true;
      const open = batch.jobs.filter(
        ({ status, notes }) => status === "submitted" && notes.length === 0,
      );
      for (const job of open) failCancelled(this.#state, batch, job);
    }
    return batchRecord(batch);
  }

  async retryFailed(
    batchId: string,
    options: Pick<NewBatchOptions, "isTaken">,
  ): Promise<BatchRecord> {
    this.#assertOpen();
    const batch = this.#state.find(batchId);
    if (batch.finishedAt === null) throw jobStoreProblems.notFinished(batchId);
    const failed = batch.jobs.filter(({ status, input }) => status === "failed" && input !== null);
    if (failed.length === 0) return batchRecord(batch);
    this.#assertRoom(null, failed.length);
    batch.finishedAt = null;
    batch.cancelled = false;
    this.#state.activate(batch);
    for (const job of failed) {
      Object.assign(job, { failure: null, endedAt: null, failures: 0, deaths: 0 });
      this.#state.putBack(batch, job, 0);
    }
    reserveNames(this.#state, batch, failed, options);
    return batchRecord(batch);
  }

  async holdTenant(tenant: string, isHeld: boolean): Promise<void> {
    this.#assertOpen();
    if (isHeld) this.#state.held.add(tenant);
    else this.#state.held.delete(tenant);
    this.#state.announceWork();
  }

  async eraseTenant(tenant: string): Promise<number> {
    this.#assertOpen();
    expireWorkers(this.#state);
    const own = [...this.#state.batches.values()].filter(({ made }) => made.tenant === tenant);
    for (const batch of own) {
      batch.cancelled = true;
      // Includes jobs that may have stored a document: that document is also erased.
      for (const job of batch.jobs) {
        if (job.status === "submitted") failCancelled(this.#state, batch, job);
      }
    }
    const ended = own.filter(({ finishedAt }) => finishedAt !== null);
    for (const batch of ended) this.#state.erase(batch);
    return own.length - ended.length;
  }

  async openWorker(options: JobWorkerOptions): Promise<JobWorker> {
    this.#assertOpen();
    const worker = memoryJobWorker(this.#state, options, () => this.#workers.delete(worker));
    this.#workers.add(worker);
    return worker;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const worker of [...this.#workers]) await worker.close();
  }

  #known(made: NewBatch): MemoryBatch | undefined {
    const key = keyOf(made);
    return key === null ? undefined : this.#state.keys.get(key);
  }

  /** Throws `limit_exceeded` if the store is full, except for a batch that was accepted earlier. */
  #assertRoom(made: NewBatch | null, jobs: number): void {
    if (this.#state.waiting + jobs <= this.#maxWaiting) return;
    if (made === null || this.#known(made) === undefined)
      throw jobStoreProblems.full(this.#maxWaiting);
  }

  #assertOpen(): void {
    if (this.#closed) throw jobStoreProblems.closed();
  }
}

function keyOf({ tenant, idempotencyKey }: NewBatch): string | null {
  return idempotencyKey === null ? null : JSON.stringify([tenant, idempotencyKey]);
}
