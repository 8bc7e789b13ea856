import { QuireError } from "../errors.ts";
import type { JobFailure } from "../ports/job-records.ts";

/** A job that so many workers died with is a suspect: it is tried with nothing else in work. */
export const SUSPECT_DEATHS = 2;
/** A job that so many workers died with is not tried again. */
export const POISON_DEATHS = 5;

/** The failure of a job that {@link POISON_DEATHS} workers died with. */
export const POISON: JobFailure = {
  code: "render_failed",
  message: `${POISON_DEATHS} workers died with this document in work, the last ones with nothing else. It is not tried again.`,
  diagnostics: [
    {
      severity: "error",
      code: "poison",
      message: "The document seems to end the process that makes it.",
    },
  ],
  retryable: false,
  cause: null,
};

/** The failure of a job that was not begun before its batch was cancelled. */
export const CANCELLED: JobFailure = {
  code: "aborted",
  message: "The batch was cancelled before the job was begun.",
  diagnostics: [],
  retryable: false,
  cause: null,
};

/** The errors that every `JobStore` rejects with, in the same words. */
export const jobStoreProblems = {
  closed: (): QuireError =>
    new QuireError(
      "job_store_failed",
      "The job store, or the worker, is closed. Open another one.",
    ),

  noBatch: (batchId: string): QuireError =>
    new QuireError("not_found", `There is no batch ${JSON.stringify(batchId)}.`),

  noJobs: (): QuireError => new QuireError("invalid_request", "The batch has no entries."),

  full: (maxWaiting: number): QuireError =>
    new QuireError(
      "limit_exceeded",
      `More than ${maxWaiting} jobs would wait. Submit the batch again when some of them are done, or raise maxWaiting of the job store.`,
      { retryable: true },
    ),

  notFinished: (batchId: string): QuireError =>
    new QuireError(
      "conflict",
      `The batch ${JSON.stringify(batchId)} has not finished. Try its failed jobs again when it has.`,
    ),

  otherRequest: (key: string): QuireError =>
    new QuireError(
      "conflict",
      `The idempotency key ${JSON.stringify(key)} was used for another request. Use a new key for a new request.`,
    ),

  badLimit: (): QuireError =>
    new QuireError("invalid_request", "The limit of a page must be a whole number from 1."),

  badMarker: (): QuireError =>
    new QuireError(
      "invalid_request",
      "The marker is none that a page before has given. Begin without a marker.",
    ),

  leaseLost: (): QuireError =>
    new QuireError(
      "lease_lost",
      "The worker's lease has run out, so that another one may have its jobs. Give up what is in work and open another worker.",
      { retryable: true },
    ),
};
