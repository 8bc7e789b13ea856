import type { JobFailure, JobInput, JobResult, OutputNote, StoredEvent } from "./job-records.ts";

/** Options of `JobStore.openWorker`. */
export interface JobWorkerOptions {
  /** Whether it is given jobs that need a converter. */
  readonly canConvert: boolean;
  /** When it stops renewing its lease, as a frozen or dead one does, its jobs are others' after so long. */
  readonly leaseMs: number;
  /** How often it renews it. Default: a third of `leaseMs`. */
  readonly renewMs?: number | undefined;
  /** Finished batches are deleted after so long, their data first; null: never. */
  readonly keepFinishedMs: number | null;
}

/** A job that a worker has, and nobody else has. */
export interface Claim {
  readonly batchId: string;
  /** The tenant of the batch. */
  readonly tenant: string;
  readonly entry: number;
  /** The fencing token: a later claim of the job has a greater one. From 1. */
  readonly attempt: number;
  /** How many attempts ended in an error that was worth another one. */
  readonly failures: number;
  /** The name that is reserved for its document. */
  readonly fileName: string;
  readonly input: JobInput;
  /** What attempts before were about to create. */
  readonly notes: readonly OutputNote[];
  /**
   * The job is not to be made any more, since its batch was cancelled or too many workers died with it: it fails with
   * this, unless an attempt before has created its document. Null for every other job.
   */
  readonly endWith: JobFailure | null;
}

/** Options of {@link JobWorker.claim}. */
export interface ClaimOptions {
  readonly alone?: boolean;
  /** No further job is taken when those that are have more data than this; at least one is. Default: no bound. */
  readonly maxBytes?: number;
  /** Tenants and batches to skip: the worker has enough of their jobs. Default: none. */
  readonly without?: {
    readonly tenants: readonly string[];
    readonly batches: readonly string[];
  };
}

/** What {@link JobWorker.claim} gives. */
export interface Claimed {
  readonly jobs: readonly Claim[];
  /**
   * There is a job that several workers died with: it is claimed by a worker that has nothing else, so
   * that no other job is blamed for it.
   */
  readonly suspects: boolean;
}

/** How an attempt ended. */
export type Outcome =
  | { readonly type: "completed"; readonly result: JobResult }
  | { readonly type: "failed"; readonly failure: JobFailure }
  /** Another attempt is worth it, not before so many milliseconds. */
  | { readonly type: "again"; readonly failure: JobFailure; readonly delayMs: number }
  /** It was not begun, or given up without a reason of its own: anybody may take it at once. */
  | { readonly type: "released" };

/**
 * One who works jobs off, with a lease on all that it has claimed. The store renews the lease on a timer
 * that a busy event loop does not keep waiting. Its length is measured by a clock that nobody sets.
 * Methods may be called concurrently; what belongs to a claim rejects `lease_lost` when somebody else may
 * have the job meanwhile, also since this worker was closed, and changes nothing then. All reject `job_store_failed` when the medium fails.
 */
export interface JobWorker {
  /** Aborted when the lease was lost: what is in work has to be given up, and another worker opened. */
  readonly lost: AbortSignal;

  /** Whether the lease holds at this moment, by its own clock and without asking the store. */
  readonly isHeld: boolean;

  /**
   * Takes up to `limit` jobs that are ready: tenants in turn by their weights, within each its batches in
   * turn, within a batch by entry. Never one that somebody else has. What a dead worker had is ready
   * again when its lease has run out, or at once when it can be seen to be dead. With `alone`, which is
   * to be said only by a worker that has no other job, one suspect if there is one.
   */
  claim(limit: number, options?: ClaimOptions): Promise<Claimed>;

  /** Notes durably what is to be created next, so that a later attempt knows the file for its own. */
  note(claim: Claim, note: OutputNote): Promise<void>;

  /**
   * Reserves another name for the job's document, since the one that it has was found to be taken by
   * somebody else, and gives it. Rejects `conflict` when the batch's policy is to fail.
   */
  rename(claim: Claim): Promise<string>;

  /** Ends the attempt; durable when it resolves. Gives whether its batch has finished with it. */
  settle(claim: Claim, outcome: Outcome): Promise<boolean>;

  /**
   * A file that a batch is made with, as it was when the batch first had it: kept by the store, or read
   * once with `read` and kept from then on for all workers.
   */
  pinned(batchId: string, fileId: string, read: () => Promise<Uint8Array>): Promise<Uint8Array>;

  /** Takes events of all batches that have not been told, in their order, up to `limit`. */
  takeEvents(limit: number): Promise<readonly StoredEvent[]>;

  /** These events were told. What was taken and not told when its worker ends is told by another one. */
  tellEvents(sequences: readonly number[]): Promise<void>;

  /** Some of what is to be done beside: see the options. True when there is more. */
  tidy(): Promise<boolean>;

  /** Gives everything back that it has. Closing twice is not an error. */
  close(): Promise<void>;
}
