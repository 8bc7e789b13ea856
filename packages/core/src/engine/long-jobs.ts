import { availableParallelism } from "node:os";
import { isPreempted, type Outcome } from "@quire/contracts";
import type { BatchSource } from "./batch-source.ts";

/** Number of long jobs of one tenant in work at the same time: one core is left for its short ones. */
const MAX_LONG = Math.max(1, availableParallelism() - 1);

/** A batch whose long job takes less time than this has short jobs again. */
const SHORT_MS = 1_000;

/** Maximum number of jobs to remember per tenant. A forgotten job is run as a short one, and stopped again. */
const MAX_KNOWN = 1_000;

/** The delay of a long job that must wait, for each long job of its tenant. */
const DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;

/** A job, its tenant and its batch. */
export interface RunnableJob {
  readonly id: string;
  readonly source: Pick<BatchSource, "batch" | "takesLong">;
}

/**
 * Lets short jobs of a tenant pass its long ones. At first, every job is preemptible: renderers and converters may stop
 * it when it takes long and others wait. It is then put back and run later as a long job, to its end, and so are the
 * next jobs of its batch. A tenant has only a few long jobs in work.
 */
export class LongJobs {
  /** The long jobs that are not done, by tenant. */
  readonly #known = new Map<string, Set<string>>();
  /** The number of long jobs in work, by tenant. */
  readonly #running = new Map<string, number>();

  /** Calls `make`, or puts the job back. */
  async run(
    { id, source }: RunnableJob,
    make: (preemptible: boolean) => Promise<Outcome>,
  ): Promise<Outcome> {
    const { tenant } = source.batch;
    if (this.#known.get(tenant)?.has(id) || source.takesLong) {
      return this.#runLong({ id, source }, () => make(false));
    }
    try {
      return await make(true);
    } catch (error) {
      if (!isPreempted(error)) throw error;
      source.takesLong = true;
      return this.#later(tenant, id);
    }
  }

  async #runLong({ id, source }: RunnableJob, make: () => Promise<Outcome>): Promise<Outcome> {
    const { tenant } = source.batch;
    const running = this.#running.get(tenant) ?? 0;
    if (running >= MAX_LONG) return this.#later(tenant, id);
    this.#running.set(tenant, running + 1);
    const began = performance.now();
    try {
      const outcome = await make();
      if (performance.now() - began < SHORT_MS) source.takesLong = false;
      return outcome;
    } finally {
      this.#forget(tenant, id);
      const left = (this.#running.get(tenant) ?? 0) - 1;
      if (left > 0) this.#running.set(tenant, left);
      else this.#running.delete(tenant);
    }
  }

  /** The more long jobs wait, the later each is claimed again, so that about one a second is. */
  #later(tenant: string, id: string): Outcome {
    const known = this.#known.get(tenant) ?? new Set();
    this.#known.set(tenant, known);
    if (known.size < MAX_KNOWN) known.add(id);
    const delayMs = Math.min(known.size * DELAY_MS, MAX_DELAY_MS);
    return { type: "released", delayMs: Math.round(delayMs * (0.5 + Math.random() / 2)) };
  }

  #forget(tenant: string, id: string): void {
    const known = this.#known.get(tenant);
    known?.delete(id);
    if (known?.size === 0) this.#known.delete(tenant);
  }
}
