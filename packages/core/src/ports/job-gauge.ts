/** How much there is to do. */
export interface QueueDepth {
  /** Jobs that wait, over all tenants. */
  readonly submitted: number;
  /** Jobs in work. */
  readonly pending: number;
  /** When the oldest batch was accepted that has a job waiting; null when none waits. Milliseconds since 1970. */
  readonly oldestAt: number | null;
  /** Of so many jobs, waiting or in work, no more is accepted. */
  readonly capacity: number;
}

/** A tenant's use of a job store. */
export interface JobUse {
  /** Jobs that wait or are in work. */
  readonly waiting: number;
  /** All jobs in the store: also the ended ones that are not forgotten yet. */
  readonly jobs: number;
  /** About the size of its batches: the stored data, the files that they use (each once), the results of jobs. */
  readonly bytes: number;
}

/** Looks at the queue of a `JobStore`, for whoever runs it. Cheap enough to be asked every second. */
export interface JobGauge {
  /** Rejects `job_store_failed`. */
  depth(): Promise<QueueDepth>;

  /**
   * The use of a tenant; without a tenant, the maximum of each number over all tenants. Updated with each change, so
   * the cost does not grow with the store. A batch counts from its acceptance, its bytes as soon as they are written.
   */
  use(tenant?: string): Promise<JobUse>;
}
