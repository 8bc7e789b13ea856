/** Minimum and maximum time after which a worker looks for work without having heard of any. */
const MIN_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1000;

/**
 * Implements `JobWorker.waitForWork` for a store that knows only the changes of this process: a wait ends at the next
 * change, and otherwise after a pause, which doubles with each wait until there is work.
 */
export class WorkWatch {
  readonly #waits = new Set<() => void>();
  #pauseMs = MIN_PAUSE_MS;
  /** Whether there may be work that the last claim did not see. */
  #hasNews = false;
  #isEnded = false;

  /** Call it when a batch is accepted, a job is put back, and so on. */
  notify(): void {
    this.#hasNews = true;
    for (const end of this.#waits) end();
  }

  /** Call it before a claim, which sees the work of all earlier news. */
  claims(): void {
    this.#hasNews = false;
  }

  /** Call it after a claim with the number of its jobs. */
  claimed(jobs: number): void {
    if (jobs > 0) this.#pauseMs = MIN_PAUSE_MS;
  }

  /** Call it when the worker is closed or has lost its lease: there is nothing to wait for. */
  end(): void {
    this.#isEnded = true;
    this.notify();
  }

  /** See `JobWorker.waitForWork`. */
  async wait(ms: number, signal?: AbortSignal): Promise<void> {
    if (this.#hasNews || this.#isEnded || signal?.aborted) return;
    const pauseMs = Math.min(ms, this.#pauseMs);
    this.#pauseMs = Math.min(2 * this.#pauseMs, MAX_PAUSE_MS);
    await new Promise<void>((resolve) => {
      const end = (): void => {
        this.#waits.delete(end);
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, pauseMs).unref();
      signal?.addEventListener("abort", end);
      this.#waits.add(end);
    });
  }
}
