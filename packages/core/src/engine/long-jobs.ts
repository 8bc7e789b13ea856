import { availableParallelism } from "node:os";
import { isPreempted, type Outcome } from "@quire/contracts";
import type { BatchSource } from "./batch-source.ts";

/** Maximum number of long jobs of a tenant in progress at the same time. One core remains for its short jobs. */
const MAX_LONG = Math.max(1, availableParallelism() - 1);

/** Maximum number of long jobs to remember per tenant. Other long jobs may run as short ones and be stopped again. */
const MAX_KNOWN = 1_000;

/** Unit of the delay of a job that is put back; see `#later`. */
const DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;

/** A job, with its tenant and its batch. */
export interface RunnableJob {
  readonly id: string;
  readonly source: { readonly batch: Pick<BatchSource["batch"], "id" | "tenant"> };
}

/** How a document is generated. */
export interface Attempt {
  /** Whether renderers and converters may stop the document if it takes a long time and others wait. */
  readonly preemptible: boolean;
  /** Returns false if work on the document must not begin now. */
  readonly mayBegin: () => boolean;
}

/**
 * Lets a tenant's short jobs overtake its long ones. At first, every job is preemptible: renderers and converters may
 * stop it if it takes a long time and others wait. A stopped job is put back and later runs to its end as a long job. A
 * tenant has only a limited number of long jobs in progress. Until a long job of a batch ends, the other jobs of the
 * batch also count as long.
 */
export class LongJobs {
  /** The ids of remembered long jobs that are not done, by tenant. */
  readonly #known = new Map<string, Set<string>>();
  /** The number of long jobs in progress, by tenant. */
  readonly #running = new Map<string, number>();
  /** The tenants of batches in which a job was stopped and no long job has ended since, by the id of the batch. */
  readonly #batches = new Map<string, string>();

  /** The batches whose jobs cannot run now. */
  get blocked(): string[] {
    return [...this.#batches].filter(([, tenant]) => this.#isFull(tenant)).map(([id]) => id);
  }

  /** Forgets a batch that has finished. */
  finished(batchId: string): void {
    this.#batches.delete(batchId);
  }

  /** Calls `make`, or puts the job back. */
  async run(job: RunnableJob, make: (attempt: Attempt) => Promise<Outcome>): Promise<Outcome> {
    const { id: batchId, tenant } = job.source.batch;
    if (this.#known.get(tenant)?.has(job.id) || this.#batches.has(batchId)) {
      const attempt = { preemptible: false, mayBegin: () => true };
      return this.#isFull(tenant) ? this.#later(tenant) : this.#runLong(job, () => make(attempt));
    }
    let isPassed = false;
    // Once a job of the batch has proved to be long, the batch's jobs that wait for a process let others go first.
    const mayBegin = (): boolean => {
      isPassed = this.#batches.has(batchId);
      return !isPassed;
    };
    try {
      return await make({ preemptible: true, mayBegin });
    } catch (error) {
      if (!isPreempted(error)) throw error;
      if (isPassed) return this.#later(tenant);
      this.#batches.set(batchId, tenant);
      this.#remember(tenant, job.id);
      return this.#later(tenant);
    }
  }

  async #runLong({ id, source }: RunnableJob, make: () => Promise<Outcome>): Promise<Outcome> {
    const { id: batchId, tenant } = source.batch;
    this.#running.set(tenant, (this.#running.get(tenant) ?? 0) + 1);
    try {
      return await make();
    } finally {
      this.#batches.delete(batchId);
      this.#forget(tenant, id);
      const others = (this.#running.get(tenant) ?? 0) - 1;
      if (others > 0) this.#running.set(tenant, others);
      else this.#running.delete(tenant);
    }
  }

  #isFull(tenant: string): boolean {
    return (this.#running.get(tenant) ?? 0) >= MAX_LONG;
  }

  /** Puts a job back. The more long jobs wait, the longer its delay, so that about one is claimed per second. */
  #later(tenant: string): Outcome {
    const waiting = this.#known.get(tenant)?.size ?? 0;
    const delayMs = Math.min((waiting + 1) * DELAY_MS, MAX_DELAY_MS);
    return { type: "released", delayMs: Math.round(delayMs * (0.5 + Math.random() / 2)) };
  }

  #remember(tenant: string, id: string): void {
    const known = this.#known.get(tenant) ?? new Set();
    this.#known.set(tenant, known);
    if (known.size < MAX_KNOWN) known.add(id);
  }

  #forget(tenant: string, id: string): void {
    const known = this.#known.get(tenant);
    known?.delete(id);
    if (known?.size === 0) this.#known.delete(tenant);
  }
}
