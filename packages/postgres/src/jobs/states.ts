import type { JobStatus } from "@quire/contracts";

/** The states of a batch in the database. Running and finished batches are visible. */
export const BATCH = { accepting: 0, running: 1, finished: 2, deleting: 3 } as const;

/** The states of a job by their number. The first two are not stored: they follow from the table `work`. */
export const STATUSES: readonly JobStatus[] = [
  "submitted",
  "pending",
  "completed",
  "completed_with_error",
  "failed",
];

/** The number of each state in the database. */
export const STATUS = {
  submitted: 0,
  pending: 1,
  completed: 2,
  completed_with_error: 3,
  failed: 4,
} as const satisfies Record<JobStatus, number>;

/**
 * The kinds of a job: it must run, it is an invalid entry without data, or it ended when it was accepted, or had begun
 * when it was moved here.
 */
export const KIND = { run: 0, invalid: 1, ended: 2 } as const;

/** The number of an outcome that puts a job back, next to the states of {@link STATUS}. */
export const PUT_BACK = { again: 5, released: 6 } as const;
