import { isQuireError, type JobStore } from "@quire/contracts";
import type { Job } from "../batch/job.ts";
import { createNotifier, type Notifier } from "./notifier.ts";
import { followJobs } from "./read-jobs.ts";

/** The callers that wait for jobs of batches to end. */
export class Followers {
  readonly #jobs: JobStore;
  readonly #batches = new Map<string, { readonly notifier: Notifier; users: number }>();
  #isClosed = false;

  constructor(jobs: JobStore) {
    this.#jobs = jobs;
  }

  /** Yields the jobs of a batch in the order in which they end. Throws `unavailable` after {@link close}. */
  async *follow(batchId: string): AsyncGenerator<Job, void, undefined> {
    const followed = this.#batches.get(batchId) ?? { notifier: createNotifier(), users: 0 };
    this.#batches.set(batchId, followed);
    followed.users += 1;
    try {
      yield* followJobs(this.#jobs, batchId, followed.notifier, () => this.#isClosed);
    } finally {
      followed.users -= 1;
      if (followed.users === 0) this.#batches.delete(batchId);
    }
  }

  /** Waits until all jobs of a batch have ended. */
  async untilEnd(batchId: string): Promise<void> {
    try {
      for await (const _ of this.follow(batchId));
    } catch (error) {
      // Another engine on the same store has finished the batch, which has been deleted since.
      if (!isQuireError(error) || error.code !== "not_found") throw error;
    }
  }

  /** Call it when jobs of a batch have ended. */
  notify(batchId: string): void {
    this.#batches.get(batchId)?.notifier.notify();
  }

  /** Ends all iterations. */
  close(): void {
    this.#isClosed = true;
    for (const { notifier } of this.#batches.values()) notifier.notify();
  }
}
