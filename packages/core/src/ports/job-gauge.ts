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

/** What a tenant has in a job store. */
export interface JobUse {
  /** Jobs that wait or are in work. */
  readonly waiting: number;
  /** Jobs that are kept: these, and those that have ended and are not forgotten. */
  readonly jobs: number;
  /** What its batches take, about: data as they are kept, files that they are made with (each once), what came of jobs. */
  readonly bytes: number;
}

/** Looks at the queue of a `JobStore`, for whoever runs it. Cheap enough to be asked every second. */
export interface JobGauge {
  /** Rejects `job_store_failed`. */
  depth(): Promise<QueueDepth>;

  /**
   * What a tenant has; without a tenant, the most that any has, of each. Counted as it changes, so that it costs the same
   * however much there is. A batch counts with its acceptance, but for its bytes, which count as they are written.
   */
  use(tenant?: string): Promise<JobUse>;
}
