import type { QueueDepth } from "@quire/core/host";
import { Gauge, type Registry } from "prom-client";

/** Keeps the gauges of the queue as they are when somebody reads them. */
export interface QueueGauges {
  /** Never rejects. */
  refresh(): Promise<void>;
}

const FRESH_MS = 1000;
/** A job store that does not answer must not keep all other metrics back. */
const PATIENCE_MS = 2000;

/** `failed` is called each time when it could not be learnt how the queue is; its gauges are left out then. */
export function createQueueGauges(
  registry: Registry,
  depth: () => Promise<QueueDepth>,
  failed: () => void,
): QueueGauges {
  return new Gauges(registry, depth, failed);
}

class Gauges implements QueueGauges {
  readonly #depth: () => Promise<QueueDepth>;
  readonly #failed: () => void;
  readonly #jobs: Gauge<"state">;
  readonly #capacity: Gauge;
  readonly #oldest: Gauge;
  #fresh: Promise<void> = Promise.resolve();
  /** Infinite until it is known how the queue is. On the monotonic clock, in milliseconds. */
  #freshUntil = Number.NEGATIVE_INFINITY;
  /** A question has got no answer yet, maybe since long ago: no other one is asked. */
  #isAsking = false;

  constructor(registry: Registry, depth: () => Promise<QueueDepth>, failed: () => void) {
    this.#depth = depth;
    this.#failed = failed;
    const shared = { registers: [registry], collect: () => this.refresh() };
    this.#jobs = new Gauge({
      name: "quire_jobs",
      help: "Jobs of all tenants that wait (submitted) or are in work (pending).",
      labelNames: ["state"],
      ...shared,
    });
    this.#capacity = new Gauge({
      name: "quire_queue_capacity",
      help: "So many jobs, waiting or in work, are accepted at most.",
      ...shared,
    });
    this.#oldest = new Gauge({
      name: "quire_queue_oldest_seconds",
      help: "Seconds since the oldest batch was accepted that has a job waiting; 0 when none waits.",
      ...shared,
    });
  }

  refresh(): Promise<void> {
    if (performance.now() >= this.#freshUntil) {
      this.#freshUntil = Number.POSITIVE_INFINITY;
      this.#fresh = this.#refresh();
    }
    return this.#fresh;
  }

  async #refresh(): Promise<void> {
    try {
      if (this.#isAsking) throw new Error("The queue has not answered yet.");
      this.#isAsking = true;
      const answer = this.#ask();
      this.#show(await inTime(answer));
    } catch {
      this.#jobs.reset();
      this.#capacity.remove();
      this.#oldest.remove();
      this.#failed();
    } finally {
      this.#freshUntil = performance.now() + FRESH_MS;
    }
  }

  async #ask(): Promise<QueueDepth> {
    try {
      return await this.#depth();
    } finally {
      this.#isAsking = false;
    }
  }

  #show({ submitted, pending, oldestAt, capacity }: QueueDepth): void {
    this.#jobs.set({ state: "submitted" }, submitted);
    this.#jobs.set({ state: "pending" }, pending);
    this.#capacity.set(capacity);
    this.#oldest.set(oldestAt === null ? 0 : Math.max(0, (Date.now() - oldestAt) / 1000));
  }
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("The queue did not answer.")), PATIENCE_MS);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
