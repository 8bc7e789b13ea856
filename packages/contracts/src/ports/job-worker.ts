import type { JobFailure, JobInput, JobResult, OutputNote, TakenEvent } from "./job-records.ts";

/** Options of `JobStore.openWorker`. */
export interface JobWorkerOptions {
  /**
   * Which jobs the worker takes. `docx`: only jobs that need no converter, which includes PDF forms. `pdf`: only jobs
   * that need one (`NewBatch.needsConverter`). `all`: both. A job that only needs to be ended (`Claim.endWith`) needs
   * no converter and may be given to any worker.
   */
  readonly takes: "all" | "docx" | "pdf";
  /**
   * Length of the lease, in milliseconds, by the clock of the store. If the worker does not renew it in this time,
   * because it hangs or is dead, others may take its jobs.
   */
  readonly leaseMs: number;
  /** How often the worker renews its lease, in milliseconds. Default: a third of `leaseMs`. */
  readonly renewMs?: number | undefined;
  /**
   * How long finished batches are kept. After that they are deleted, their data first. A batch with events that have
   * not been delivered is kept until they are, at most for {@link MAX_EVENT_WAIT_MS} longer. Null: batches are never
   * deleted.
   */
  readonly keepFinishedMs: number | null;
}

/** A job that is assigned to this worker alone. */
export interface Claim {
  /** The id of its batch, as in `NewBatch.id`. */
  readonly batchId: string;
  /** The tenant of the batch. */
  readonly tenant: string;
  /** The number of its entry within the batch, from 1. */
  readonly entry: number;
  /** The fencing token, from 1: a later claim of the job has a greater one. */
  readonly attempt: number;
  /** Number of attempts that ended in a retryable error. */
  readonly failures: number;
  /** The name reserved for its document. */
  readonly fileName: string;
  /** The data of the job, as accepted. */
  readonly input: JobInput;
  /** The documents that earlier attempts were about to create. */
  readonly notes: readonly OutputNote[];
  /**
   * Set if the job must no longer run, because its batch was cancelled or too many workers died while making it.
   * The job then fails with this failure, unless an earlier attempt has created its document. Null for every other job.
   */
  readonly endWith: JobFailure | null;
}

/** Options of {@link JobWorker.claim}. */
export interface ClaimOptions {
  /** Takes one suspect job and no other jobs. Only for a worker that has no job. Default false. */
  readonly alone?: boolean;
  /**
   * Takes no further job once the data of the taken jobs exceeds this size. Always takes at least one. Default: no
   * limit.
   */
  readonly maxBytes?: number;
  /** Tenants and batches to skip, because the worker has enough of their jobs. Default: none. */
  readonly without?: {
    /** Names of tenants. */
    readonly tenants: readonly string[];
    /** Ids of batches. */
    readonly batches: readonly string[];
  };
}

/** Result of {@link JobWorker.claim}. */
export interface Claimed {
  /** The claimed jobs, at most `limit`; empty if none is ready. */
  readonly jobs: readonly Claim[];
  /**
   * Whether there is a suspect: a job that several workers had when they died. Only a worker without other jobs claims
   * a suspect. If the worker then dies while the document is being made (see {@link JobWorker.setBegun}), no other job
   * can be the cause.
   */
  readonly suspects: boolean;
}

/** How an attempt ended. */
export type Outcome =
  | {
      readonly type: "completed";
      /** The document, which the storage has durably stored. */
      readonly result: JobResult;
    }
  | {
      readonly type: "failed";
      /** Stored as the job's failure. */
      readonly failure: JobFailure;
    }
  /** The attempt failed, but another may succeed. */
  | {
      readonly type: "again";
      /** Not stored, only counted (see `Claim.failures`): the job's outcome comes from a later attempt. */
      readonly failure: JobFailure;
      /** Minimum time until the next attempt. */
      readonly delayMs: number;
    }
  /** The attempt did not start, or was given up for reasons outside the job. Any worker may take the job. */
  | {
      readonly type: "released";
      /** Minimum time until the next attempt. Default 0. */
      readonly delayMs?: number;
    };

/**
 * Processes jobs, with one lease for all claimed jobs. The store renews the lease on a timer that a busy event loop
 * does not delay. One clock measures the leases of all workers: the monotonic clock of the machine for a store on one
 * machine, otherwise the clock of the server. Methods may be called concurrently. Methods that take a claim reject
 * `lease_lost` without changing anything if another worker may have the job, or if this worker is closed. All methods
 * reject `job_store_failed` if the medium fails.
 *
 * If `claim` or `takeEvents` rejects, only the answer may be lost: the worker may have jobs or events that its caller
 * does not know, and no other worker gets them while it is open. The caller therefore closes the worker and opens a new
 * one. The other methods can be called again.
 */
export interface JobWorker {
  /** Aborted when the lease is lost: give up the jobs in progress, and open another worker. */
  readonly lost: AbortSignal;

  /**
   * Whether the lease holds at this moment, without a request to the store: false if the last renewal is older than the
   * lease, by the monotonic clock of this machine.
   */
  readonly isHeld: boolean;

  /**
   * Takes up to `limit` jobs that are ready. Tenants take turns by weight, the batches of a tenant take turns, and the
   * jobs of a batch come in the order of their entries. Never takes a job that another worker has. Jobs of a dead
   * worker are ready again when its lease expires. If it ran on this machine, the store may detect its death, and they
   * are ready immediately. With `alone` (only if the worker has no other job), takes at most one suspect job.
   */
  claim(limit: number, options?: ClaimOptions): Promise<Claimed>;

  /**
   * Waits for work. Resolves when there may be jobs that the worker's last claim did not see: a batch was accepted or
   * retried, a job was put back, its delay has passed, a tenant was released, another worker died; in this process or
   * in another. Also resolves after `ms` milliseconds, when `signal` is aborted, and when the worker is closed or has
   * lost its lease. May resolve early without a reason: a store that does not learn of all this lets its workers claim
   * from time to time. Never rejects: if the medium fails, it resolves after `ms` at the latest. The wait does not keep
   * the process running.
   */
  waitForWork(ms: number, signal?: AbortSignal): Promise<void>;

  /**
   * Durably records whether the document of a suspect is being made at this moment: true when a renderer or a converter
   * takes it, false when it has been made. The death of the worker counts against a suspect only between these calls.
   * For other jobs it changes nothing.
   */
  setBegun(claim: Claim, begun: boolean): Promise<void>;

  /**
   * Durably records the document that is about to be created, so that a later attempt recognizes the file as the job's.
   */
  note(claim: Claim, note: OutputNote): Promise<void>;

  /**
   * Reserves and returns another name for the job's document, because the reserved name turned out to be taken. Rejects
   * `conflict` if the batch's policy is to fail.
   */
  rename(claim: Claim): Promise<string>;

  /** Ends the attempt; durable when the promise resolves. Returns whether this finished the batch. */
  settle(claim: Claim, outcome: Outcome): Promise<boolean>;

  /**
   * Returns the bytes of a file as they were when the batch first used it. The store returns its copy, or calls `read`
   * once and keeps the result for all workers.
   */
  pinned(batchId: string, fileId: string, read: () => Promise<Uint8Array>): Promise<Uint8Array>;

  /**
   * Takes up to `limit` events of all batches that no worker has taken, with their batches and jobs as they are now.
   * The events of a batch are in order. Events of different batches are roughly in order.
   */
  takeEvents(limit: number): Promise<readonly TakenEvent[]>;

  /** Marks events as delivered. If a worker ends before it delivers its events, another worker gets them. */
  tellEvents(sequences: readonly number[]): Promise<void>;

  /**
   * Does part of the maintenance, such as deleting finished batches (see the options). Returns true if there is more to
   * do.
   */
  tidy(): Promise<boolean>;

  /** Gives back all jobs of the worker. Closing twice is not an error. */
  close(): Promise<void>;
}
