import type { QuireError } from "../errors.ts";
import type { JobGauge } from "./job-gauge.ts";
import type {
  BatchRecord,
  JobInput,
  JobRecord,
  JobStatus,
  NewBatch,
  NewJob,
} from "./job-records.ts";
import type { JobWorker, JobWorkerOptions } from "./job-worker.ts";

/** Options of {@link JobStore.createBatch}. */
export interface NewBatchOptions {
  /** Ends the acceptance with `aborted`; nothing of the batch stays. */
  readonly signal?: AbortSignal | undefined;
  /** Whether a name stands in the folder already; asked with the folded name (see `foldName`). */
  readonly isTaken: (foldedName: string) => boolean;
  /**
   * Why nothing new can be accepted, for example because the template is not there any more: it rejects with
   * this, unless the idempotency key is known.
   */
  readonly refusal?: QuireError | undefined;
}

/** What {@link JobStore.createBatch} gives. */
export interface AcceptedBatch {
  readonly batch: BatchRecord;
  /** False when the idempotency key was known: then `batch` is the one that was accepted before. */
  readonly created: boolean;
}

/** Which batches {@link JobStore.listBatches} gives. */
export interface BatchQuery {
  readonly tenant?: string | undefined;
  readonly caller?: string | undefined;
  /** The id of the template. */
  readonly template?: string | undefined;
  readonly limit: number;
  /** `nextMarker` of the page before. */
  readonly marker?: string | undefined;
}

/** Which jobs {@link JobStore.listJobs} gives: of a batch, or of all batches of a template or a caller. */
export interface JobQuery {
  readonly batchId?: string | undefined;
  readonly tenant?: string | undefined;
  readonly caller?: string | undefined;
  readonly template?: string | undefined;
  readonly status?: JobStatus | undefined;
  /**
   * `entry`: the batches from the newest on, within each by entry. `ended`, for one batch only: as they
   * ended; then the last page has a marker as well, from which what ends later goes on.
   */
  readonly order: "entry" | "ended";
  readonly limit: number;
  /**
   * The page ends before the job whose result or failure would make it longer than this, as JSON; it has at least one
   * job. Default: no limit.
   */
  readonly maxBytes?: number | undefined;
  readonly marker?: string | undefined;
}

/** A job and its data. */
export interface JobWithInput {
  readonly job: JobRecord;
  /** Null for a bad entry; a store that is not durable may let it go when the job is completed. */
  readonly input: JobInput | null;
}

/** A page of a listing. A page may be short. Items accepted after the first page do not disturb the later ones. */
export interface RecordPage<T> {
  readonly items: readonly T[];
  /** Pass it to get the next page; null at the end. */
  readonly nextMarker: string | null;
}

/**
 * The batches, their jobs, and the queue of what is to be done, in one. Every method rejects with a
 * `QuireError`: `job_store_failed` (with `cause`) when the medium fails or the store is closed,
 * `not_found` for a batch that is not there. A batch that is being accepted is not there for any reader.
 * Several handles, of one process or of many, may work on one place.
 * `conformance/job-store.ts` is this contract as tests.
 */
export interface JobStore {
  /**
   * Whether what was accepted outlives the process. What is written to a durable store is durable, also
   * against a loss of power, when the promise resolves.
   */
  readonly durable: boolean;

  /** How full it is. */
  readonly gauge: JobGauge;

  /**
   * Accepts a batch whole or not at all, also when its jobs come over a long time, and however it is
   * interrupted; the event loop is not blocked meanwhile. The jobs are read to their end and numbered
   * from 1; a file name is reserved for each, compared by its folded form with those of all batches that
   * have not ended and of the same folder, and with `isTaken`: a job that must not be renamed fails with
   * `conflict`. Names are reserved in the order of the jobs.
   *
   * An idempotency key that is known within the tenant gives the first batch back, if `hash()`, which is
   * asked when the jobs have been read, is that of the first one; otherwise it rejects `conflict`. It does
   * so also when the store is full, and reserves nothing.
   * Rejects `limit_exceeded` when more jobs would wait than the store takes, `invalid_request` when
   * there is no job, the `refusal`, and what `jobs` throws, each time with nothing accepted.
   */
  createBatch(
    batch: NewBatch,
    jobs: AsyncIterable<NewJob> | Iterable<NewJob>,
    hash: () => string,
    options: NewBatchOptions,
  ): Promise<AcceptedBatch>;

  /** Null when there is none. */
  getBatch(batchId: string): Promise<BatchRecord | null>;

  /** From the newest on. Rejects `invalid_request` for a marker or limit that is none. */
  listBatches(query: BatchQuery): Promise<RecordPage<BatchRecord>>;

  /** With the data that it was accepted with. Null when there is none. */
  getJob(batchId: string, entry: number): Promise<JobWithInput | null>;

  /** Rejects `invalid_request` for a marker or limit that is none. */
  listJobs(query: JobQuery): Promise<RecordPage<JobRecord>>;

  /**
   * Ends a batch early: no further job of it is begun, those that were not fail with `aborted`; those in
   * work may still end either way, and so may those of which an attempt before has noted a document: a worker
   * looks after them (`Claim.endWith`). Cancelling what has ended changes nothing. Gives the batch.
   */
  cancelBatch(batchId: string): Promise<BatchRecord>;

  /**
   * Submits the failed jobs of a batch again, with their data and their names (or others where those were
   * taken meanwhile), but for bad entries. The batch is not cancelled any more then; where there is no such
   * job it stays as it is. Rejects `conflict` for a batch that is not finished, `limit_exceeded` when more
   * jobs would wait than the store takes.
   */
  retryFailed(batchId: string, options: Pick<NewBatchOptions, "isTaken">): Promise<BatchRecord>;

  /**
   * Holds or releases a tenant: no job of a held tenant starts. Jobs in work continue, jobs that only have to be ended
   * (`Claim.endWith`) are ended, and batches are accepted. Applies to all handles, and is kept with the jobs.
   */
  holdTenant(tenant: string, isHeld: boolean): Promise<void>;

  /**
   * Erases the batches of a tenant with all that belongs to them: jobs, data, results, events, idempotency keys.
   * Waiting jobs are dropped. Returns the number of batches that it could not erase yet, because they have jobs in work
   * or are still being accepted: call it again when they have ended, or after an interruption.
   */
  eraseTenant(tenant: string): Promise<number>;

  /** Who works jobs off. The caller closes it. */
  openWorker(options: JobWorkerOptions): Promise<JobWorker>;

  /** Ends acceptances and workers that are open, which gives back what they have. Closing twice is not an error. */
  close(): Promise<void>;
}
