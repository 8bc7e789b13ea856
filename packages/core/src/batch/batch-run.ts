import type { QuireError } from "../errors.ts";
import type { Batch, Job, JobCounts, JobStatus } from "./job.ts";

/**
 * The state of one batch in this process: its counts, the jobs that have ended, and who waits for the
 * next one. An ended job holds no data of its entry, so a long batch stays small.
 */
export class BatchRun {
  readonly id: string;
  readonly #counts: Record<JobStatus, number>;
  readonly #ended: Job[] = [];
  #finished = false;
  #failure: QuireError | null = null;
  #changed = Promise.withResolvers<void>();

  /** `submitted` is the number of jobs that are known from the start. */
  constructor(id: string, submitted: number) {
    this.id = id;
    this.#counts = { submitted, pending: 0, completed: 0, completed_with_error: 0, failed: 0 };
  }

  /** A job that was not known from the start. */
  submit(): void {
    this.#counts.submitted += 1;
  }

  /** A submitted job is being worked on. */
  begin(): void {
    this.#counts.submitted -= 1;
    this.#counts.pending += 1;
  }

  /** A job that was being worked on has reached its end. */
  end(job: Job): void {
    this.#counts.pending -= 1;
    this.#counts[job.status] += 1;
    this.#ended.push(job);
    this.#announce();
  }

  /** No further job will begin or end. */
  finish(failure: QuireError | null): void {
    this.#finished = true;
    this.#failure = failure;
    this.#announce();
  }

  snapshot(): Batch {
    const counts: JobCounts = { ...this.#counts };
    return {
      id: this.id,
      status: this.#finished ? "finished" : "running",
      counts,
      failure: this.#failure,
    };
  }

  /** Every job as it ends, from the first one on. Throws the batch's failure after the last one. */
  async *jobs(): AsyncGenerator<Job, void, undefined> {
    for (let next = 0; ; next++) {
      while (next >= this.#ended.length && !this.#finished) await this.#changed.promise;
      const job = this.#ended[next];
      if (job === undefined) break;
      yield job;
    }
    if (this.#failure !== null) throw this.#failure;
  }

  #announce(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}
