import type { QueueDepth } from "@quire/core/host";
import { Gauge, type Registry } from "prom-client";

/** Updates the gauges of the queue when they are read. */
export interface QueueGauges {
  /** Reads the depth of the queue. Never rejects. */
  refresh(): Promise<void>;
}

const FRESH_MS = 1000;
/** Timeout in milliseconds. A job store that does not respond must not delay all other metrics. */
const TIMEOUT_MS = 2000;

/**
 * Creates the gauges of the queue. `failed` is called each time the depth cannot be read. The gauges are then omitted.
 */
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
  readonly #oldest: Gauge<"kind">;
  #fresh: Promise<void> = Promise.resolve();
  /**
   * The monotonic time in milliseconds until which the depth counts as current. Infinite while the depth is being read.
   */
  #freshUntil = Number.NEGATIVE_INFINITY;
  /** Whether a call of `depth` is still running. No other call starts in the meantime. */
  #isAsking = false;

  constructor(registry: Registry, depth: () => Promise<QueueDepth>, failed: () => void) {
    this.#depth = depth;
    this.#failed = failed;
    const shared = { registers: [registry], collect: () => this.refresh() };
    this.#jobs = new Gauge({
      name: "quire_jobs",
      help: "Jobs of all tenants that are waiting (submitted) or running (pending).",
      labelNames: ["state"],
      ...shared,
    });
    this.#capacity = new Gauge({
      name: "quire_queue_capacity",
      help: "The maximum number of waiting and running jobs.",
      ...shared,
    });
    this.#oldest = new Gauge({
      name: "quire_queue_oldest_seconds",
      help: "Age in seconds of the oldest batch with a waiting job; 0 if no job is waiting. By kind: jobs that need LibreOffice (pdf), and all others (docx).",
      labelNames: ["kind"],
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
      if (this.#isAsking) throw new Error("The depth of the queue is still being read.");
      this.#isAsking = true;
      const answer = this.#ask();
      this.#show(await withTimeout(answer));
    } catch {
      this.#jobs.reset();
      this.#capacity.remove();
      this.#oldest.reset();
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
    for (const kind of ["docx", "pdf"] as const) {
      this.#oldest.set({ kind }, secondsSince(oldestAt[kind]));
    }
  }
}

function secondsSince(time: number | null): number {
  return time === null ? 0 : Math.max(0, (Date.now() - time) / 1000);
}

async function withTimeout<T>(answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error("Reading the depth of the queue timed out.")),
    TIMEOUT_MS,
  );
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
