import { preemptedError } from "@quire/contracts";
import type { Lane } from "./lane.ts";
import type { Task } from "./task.ts";

/** Interval at which to check whether others wait. */
const CHECK_MS = 250;

/** A lane that works on a tenant's documents for longer than this gets a lower priority. */
const SLOW_MS = 1_000;

/** Additional time for each document in the lane after the first. */
const DOCUMENT_MS = 1_000;

/**
 * Makes room for others when documents in a lane take long: lowers the lane's priority, and stops the documents if
 * others wait and all documents in the lane allow it. The lane then has a short time to finish before it is ended.
 */
export class Preemption {
  readonly #tasks: readonly Task[];
  readonly #began = performance.now();
  readonly #lane: Pick<Lane, "setLongWork">;
  readonly #timer: NodeJS.Timeout;
  #isSlow = false;
  /** Whether the documents have been preempted. */
  happened = false;

  /** `stop` is aborted when the documents must be stopped. Call `end` when they have left the lane. */
  constructor(
    lane: Pick<Lane, "setLongWork">,
    tasks: readonly Task[],
    afterMs: number,
    stop: AbortController,
    isAwaited: () => boolean,
  ) {
    this.#lane = lane;
    this.#tasks = tasks;
    const hasTenant = tasks.some(({ sharer }) => sharer.tenant !== "");
    const mayStop = tasks.every(({ preemptible }) => preemptible);
    const limitMs = afterMs + (tasks.length - 1) * DOCUMENT_MS;
    this.#timer = setInterval(() => {
      const tookMs = performance.now() - this.#began;
      if (hasTenant && tookMs > SLOW_MS && !this.#isSlow) {
        this.#isSlow = true;
        lane.setLongWork(true);
      }
      if (!mayStop || tookMs < limitMs || !isAwaited()) return;
      this.happened = true;
      stop.abort();
    }, CHECK_MS).unref();
  }

  /** Rejects the documents. */
  reject(): void {
    const error = preemptedError(performance.now() - this.#began);
    for (const task of this.#tasks) task.reject(error);
  }

  end(): void {
    clearInterval(this.#timer);
    if (this.#isSlow) this.#lane.setLongWork(false);
  }
}
