/** When the oldest batch with a waiting job was accepted, by kind. Milliseconds since 1970. */
export interface OldestWaiting {
  /** Of the batches whose jobs need no converter, which includes PDF forms; null if none of their jobs waits. */
  readonly docx: number | null;
  /** Of the batches whose jobs need a converter; null if none of their jobs waits. */
  readonly pdf: number | null;
}

/** The amount of work in a job store. */
export interface QueueDepth {
  /** Waiting jobs, over all tenants. */
  readonly submitted: number;
  /** Jobs in progress. */
  readonly pending: number;
  /** When the oldest batch with a waiting job was accepted, for each kind that workers can take. */
  readonly oldestAt: OldestWaiting;
  /** Maximum number of jobs that wait or are in progress. The store accepts no more. */
  readonly capacity: number;
}

/** A tenant's usage of a job store. */
export interface JobUse {
  /** Jobs that wait or are in progress. */
  readonly waiting: number;
  /** All jobs in the store, including ended ones that are still kept. */
  readonly jobs: number;
  /**
   * Approximate size of the tenant's batches, in bytes: the stored data, the files that they use (each counted once)
   * and the job results.
   */
  readonly bytes: number;
}

/** Statistics of a `JobStore`, for its operator. Cheap enough to read every second. */
export interface JobGauge {
  /**
   * Returns the current amount of work. Rejects `job_store_failed` if the medium fails, or if the store knows that it
   * cannot write to the medium.
   */
  depth(): Promise<QueueDepth>;

  /**
   * Returns the usage of a tenant; without `tenant`, the maximum of each number over all tenants. Updated with each
   * change, so the cost does not grow with the store. A batch counts once it is accepted; its bytes count as soon as
   * they are written.
   */
  use(tenant?: string): Promise<JobUse>;
}
