import { QuireError } from "../errors.ts";
import type { JobFailure } from "../ports/job-records.ts";

/** How much longer a finished batch is kept if it has events that have not been delivered: a week. */
export const MAX_EVENT_WAIT_MS = 7 * 24 * 3600 * 1000;

/**
 * After this number of workers have died while they had a job, it is a suspect: it is only tried while its worker has
 * no other job.
 */
export const SUSPECT_DEATHS = 2;
/**
 * After this number of deaths, a job is not tried again. The death of a worker counts against a suspect only while its
 * document is being made.
 */
export const POISON_DEATHS = 5;

/** The deaths of a job when a worker that had it has died. `begun`: whether its document was being made. */
export function deathsAfter(deaths: number, begun: boolean): number {
  return deaths < SUSPECT_DEATHS || begun ? deaths + 1 : deaths;
}

/** The failure of a job after {@link POISON_DEATHS} deaths. */
export const POISON: JobFailure = {
  code: "render_failed",
  message: `${POISON_DEATHS - SUSPECT_DEATHS} workers died while making this document and no other. It is not tried again.`,
  diagnostics: [
    {
      severity: "error",
      code: "poison",
      message: "The document seems to crash the process that makes it.",
    },
  ],
  retryable: false,
  cause: null,
};

/** The failure of a job that is not run, or not run again, because its batch was cancelled. */
export const CANCELLED: JobFailure = {
  code: "aborted",
  message: "The batch was cancelled before the job started.",
  diagnostics: [],
  retryable: false,
  cause: null,
};

/** The errors of every `JobStore`, with the same messages. */
export const jobStoreProblems = {
  closed: (): QuireError =>
    new QuireError("job_store_failed", "The job store or the worker is closed. Open a new one."),

  noBatch: (batchId: string): QuireError =>
    new QuireError("not_found", `There is no batch ${JSON.stringify(batchId)}.`),

  noJobs: (): QuireError => new QuireError("invalid_request", "The batch has no entries."),

  full: (maxWaiting: number): QuireError =>
    new QuireError(
      "limit_exceeded",
      `More than ${maxWaiting} jobs would be waiting. Submit the batch again when some of them are done, or raise maxWaiting of the job store.`,
      { retryable: true },
    ),

  notFinished: (batchId: string): QuireError =>
    new QuireError(
      "conflict",
      `The batch ${JSON.stringify(batchId)} has not finished. Retry its failed jobs after it has finished.`,
    ),

  otherRequest: (key: string): QuireError =>
    new QuireError(
      "conflict",
      `The idempotency key ${JSON.stringify(key)} was used for another request. Use a new key for a new request.`,
    ),

  badLimit: (): QuireError =>
    new QuireError("invalid_request", "The page limit must be a positive integer."),

  badMarker: (): QuireError =>
    new QuireError(
      "invalid_request",
      "The marker does not come from an earlier page of this listing. Start again without a marker.",
    ),

  leaseLost: (): QuireError =>
    new QuireError(
      "lease_lost",
      "The worker's lease has expired, so another worker may have its jobs. Cancel the jobs that it is running, and open another worker.",
      { retryable: true },
    ),
};
