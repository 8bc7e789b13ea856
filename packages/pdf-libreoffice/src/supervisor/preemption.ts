import { preemptedError } from "@quire/contracts";
import type { Task } from "./task.ts";

/** Interval between two checks whether others wait. */
const CHECK_MS = 250;

/** Additional time for each document but the first of a lane. */
const DOCUMENT_MS = 1_000;

/**
 * Stops documents in a lane when they take long and others wait, if all of them allow it. The lane then has a short
 * time to finish before it is ended.
 */
export class Preemption {
  readonly #tasks: readonly Task[];
  readonly #began = performance.now();
  readonly #timer: NodeJS.Timeout | undefined;
  /** Whether the documents were to be stopped. */
  happened = false;

  /** `stop`: aborted when the documents must be stopped. Call `end` when they have left the lane. */
  constructor(
    tasks: readonly Task[],
    afterMs: number,
    stop: AbortController,
    isAwaited: () => boolean,
  ) {
    this.#tasks = tasks;
    if (!tasks.every(({ preemptible }) => preemptible)) return;
    const limitMs = afterMs + (tasks.length - 1) * DOCUMENT_MS;
    this.#timer = setInterval(() => {
      if (performance.now() - this.#began < limitMs || !isAwaited()) return;
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
  }
}
