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
  /** Cancels the acceptance: the call rejects `aborted`, and no part of the batch is kept. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the folder already contains the name. The argument is the folded name (see `foldName`). */
  readonly isTaken: (foldedName: string) => boolean;
  /**
   * Why nothing new can be accepted, for example because the template does not exist any more: the call rejects with
   * this error unless the idempotency key is known.
   */
  readonly refusal?: QuireError | undefined;
}

/** Result of {@link JobStore.createBatch}. */
export interface AcceptedBatch {
  /** The batch's record when the call returns; `counts` includes jobs that failed before they began. */
  readonly batch: BatchRecord;
  /** False if the idempotency key was known: `batch` is then the batch that was accepted earlier. */
  readonly created: boolean;
}

/** Filter of {@link JobStore.listBatches}. */
export interface BatchQuery {
  /** Only batches of this tenant. Default: all tenants. */
  readonly tenant?: string | undefined;
  /** Only batches that this caller submitted. Default: all callers. */
  readonly caller?: string | undefined;
  /** Only batches with this template, by its id. Default: all templates. */
  readonly template?: string | undefined;
  /** Maximum number of batches in the page: a positive integer. */
  readonly limit: number;
  /** `nextMarker` of the page before. */
  readonly marker?: string | undefined;
}

/** Filter of {@link JobStore.listJobs}: the jobs of a batch, or of all batches of a template or a caller. */
export interface JobQuery {
  /** Only jobs of this batch. Required with `order: "ended"`. */
  readonly batchId?: string | undefined;
  /** Only jobs of this tenant. Default: all tenants. */
  readonly tenant?: string | undefined;
  /** Only jobs of batches that this caller submitted. Default: all callers. */
  readonly caller?: string | undefined;
  /** Only jobs of batches with this template, by its id. Default: all templates. */
  readonly template?: string | undefined;
  /** Only jobs that are in this state when the page is read. Default: all states. */
  readonly status?: JobStatus | undefined;
  /**
   * `entry`: newest batch first, by entry within each batch. `ended`, for one batch only: in the order in which they
   * ended. With `ended`, the last page has a marker too: pass it to get the jobs that end later.
   */
  readonly order: "entry" | "ended";
  /** Maximum number of jobs in the page: a positive integer. */
  readonly limit: number;
  /**
   * Maximum size of the results and failures of a page's jobs, in bytes of JSON. A page ends before the job that would
   * exceed it, but has at least one job. Default: no limit.
   */
  readonly maxBytes?: number | undefined;
  /** `nextMarker` of the page before. Default: the first page. */
  readonly marker?: string | undefined;
}

/** A job and its data. */
export interface JobWithInput {
  /** Its record at the time of the call. */
  readonly job: JobRecord;
  /** Null for an invalid entry. A store that is not durable may discard it when the job is completed. */
  readonly input: JobInput | null;
}

/**
 * A page of a listing. A page may have fewer items than its limit. Items accepted after the first page do not shift the
 * later pages.
 */
export interface RecordPage<T> {
  /** In the order of the listing; may be empty, even if there is a next page. */
  readonly items: readonly T[];
  /** Pass it to get the next page; null at the end. */
  readonly nextMarker: string | null;
}

/**
 * Batches, their jobs, and the queue of work. Every method rejects with a `QuireError`: `job_store_failed` (with
 * `cause`) if the medium fails or the store is closed, `not_found` for an unknown batch. Readers do not see a batch
 * that is still being accepted. Several handles, in one process or in several, may use the same database.
 * `conformance/job-store.ts` tests this contract.
 */
export interface JobStore {
  /**
   * Whether accepted batches outlive the process. In a durable store, a write whose promise has resolved even survives
   * a power failure.
   */
  readonly durable: boolean;

  /**
   * How many jobs a worker should claim at a time: a positive integer. The more a claim costs by itself, the greater
   * it is.
   */
  readonly group: number;

  /** How full the store is. */
  readonly gauge: JobGauge;

  /**
   * Accepts a batch completely or not at all, even if its jobs arrive over a long time, and even if the call is
   * interrupted. Does not block the event loop. All jobs are read, and numbered from 1. A file name is reserved for
   * each job, in the order of the jobs: its folded form is compared with the names of all unfinished batches of the
   * same folder, and with `isTaken`. If the name is taken and must not be changed, the job fails with `conflict`.
   *
   * If the tenant has used the idempotency key before, and `hash()` returns the hash of that first request, the call
   * returns the first batch; if the hash differs, it rejects `conflict`. `hash` is called when all jobs have been read.
   * This also works when the store is full, and reserves no names. Rejects `limit_exceeded` if more jobs would wait
   * than the store allows, and `invalid_request` if `jobs` is empty. Also rejects with `refusal`, and with errors that
   * `jobs` throws. In each of these cases, nothing is accepted. Batches that several processes accept at the same time
   * may exceed the limit of the store by a few jobs.
   *
   * If the call rejects `job_store_failed`, only the answer may be lost: a batch without an idempotency key may have
   * been accepted. With a key, the caller repeats the request.
   */
  createBatch(
    batch: NewBatch,
    jobs: AsyncIterable<NewJob> | Iterable<NewJob>,
    hash: () => string,
    options: NewBatchOptions,
  ): Promise<AcceptedBatch>;

  /** Returns a batch; null if it does not exist. */
  getBatch(batchId: string): Promise<BatchRecord | null>;

  /** Lists batches, newest first. Rejects `invalid_request` for an invalid marker or limit. */
  listBatches(query: BatchQuery): Promise<RecordPage<BatchRecord>>;

  /** Returns a job with its data, as accepted; null if it does not exist. */
  getJob(batchId: string, entry: number): Promise<JobWithInput | null>;

  /** Rejects `invalid_request` for an invalid marker or limit. */
  listJobs(query: JobQuery): Promise<RecordPage<JobRecord>>;

  /**
   * Ends a batch early: no more of its jobs start, and waiting jobs fail with `aborted`. Jobs in progress may still
   * succeed or fail. So may jobs for which an earlier attempt has noted a document: a worker handles them
   * (`Claim.endWith`). Cancelling a finished batch changes nothing. Returns the batch.
   */
  cancelBatch(batchId: string): Promise<BatchRecord>;

  /**
   * Submits the failed jobs of a batch again, except invalid entries. They keep their data and their names, or get new
   * names if those have been taken since. The batch then no longer counts as cancelled. If there is no such job, the
   * batch does not change. Rejects `conflict` for a batch that is not finished, and `limit_exceeded` if more jobs would
   * wait than the store allows.
   */
  retryFailed(batchId: string, options: Pick<NewBatchOptions, "isTaken">): Promise<BatchRecord>;

  /**
   * Holds or releases a tenant: no job of a held tenant starts. Jobs in progress continue, jobs that only need to be
   * ended (`Claim.endWith`) are ended, and batches are accepted. Applies to all handles, and is stored with the jobs.
   */
  holdTenant(tenant: string, isHeld: boolean): Promise<void>;

  /**
   * Erases the batches of a tenant with all their jobs, data, results, events and idempotency keys. Waiting jobs are
   * dropped. Returns the number of batches that it could not erase yet, because they have jobs in progress or are still
   * being accepted. Call it again when they have ended, or after an interruption.
   */
  eraseTenant(tenant: string): Promise<number>;

  /** Opens a worker, which processes jobs. The caller closes it. */
  openWorker(options: JobWorkerOptions): Promise<JobWorker>;

  /** Ends running acceptances and closes open workers, which give back their jobs. Closing twice is not an error. */
  close(): Promise<void>;
}
