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

/** Looks at the queue of a `JobStore`, for whoever runs it. Cheap enough to be asked every second. */
export interface JobGauge {
  /** Rejects `job_store_failed`. */
  depth(): Promise<QueueDepth>;
}
