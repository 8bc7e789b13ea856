import type { QuireError } from "../errors.ts";
import type { Batch, Job, JobCounts, JobStatus } from "./job.ts";

/** Jobs that every reader has seen are let go in lots of this size. */
const LOT = 1000;

/** Someone who iterates the jobs: the number of the next job to see, from 0. */
interface Reader {
  next: number;
}

/**
 * The state of one batch in this process: its counts, the jobs that have ended, and who waits for the
 * next one. An ended job holds no data of its entry; a streamed batch, which may be very long, also
 * lets ended jobs go that all present readers have seen.
 */
export class BatchRun {
  readonly id: string;
  readonly #counts: Record<JobStatus, number>;
  readonly #streamed: boolean;
  readonly #readers = new Set<Reader>();
  /** The ended jobs but for those let go, of which there are `#dropped`. */
  readonly #ended: Job[] = [];
  #dropped = 0;
  #finished = false;
  #failure: QuireError | null = null;
  #changed = Promise.withResolvers<void>();

  /** `known` is the number of jobs that are known from the start; null for a streamed batch. */
  constructor(id: string, known: number | null) {
    this.id = id;
    this.#streamed = known === null;
    const submitted = known ?? 0;
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

  /** Every job as it ends, from the first one that is kept. Throws the batch's failure after the last. */
  async *jobs(): AsyncGenerator<Job, void, undefined> {
    const reader: Reader = { next: this.#dropped };
    this.#readers.add(reader);
    try {
      for (;;) {
        while (reader.next >= this.#dropped + this.#ended.length && !this.#finished) {
          await this.#changed.promise;
        }
        const job = this.#ended[reader.next - this.#dropped];
        if (job === undefined) break;
        reader.next += 1;
        this.#letGo();
        yield job;
      }
    } finally {
      this.#readers.delete(reader);
    }
    if (this.#failure !== null) throw this.#failure;
  }

  #letGo(): void {
    if (!this.#streamed) return;
    const seen = Math.min(...[...this.#readers].map(({ next }) => next)) - this.#dropped;
    if (seen < LOT) return;
    this.#ended.splice(0, seen);
    this.#dropped += seen;
  }

  #announce(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}
