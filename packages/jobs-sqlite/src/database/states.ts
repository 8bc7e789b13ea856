import type { JobStatus } from "@quire/contracts";

/** The states of a batch in the file. Readers see only running and finished batches. */
export const BATCH = { accepting: 0, running: 1, finished: 2, deleting: 3 } as const;

/** The states of a job. The file stores their indexes in this list. */
export const STATUSES: readonly JobStatus[] = [
  "submitted",
  "pending",
  "completed",
  "completed_with_error",
  "failed",
];

export const STATUS = {
  submitted: 0,
  pending: 1,
  completed: 2,
  completed_with_error: 3,
  failed: 4,
} as const satisfies Record<JobStatus, number>;
