import type { JobWorker } from "@quire/contracts";

/** A signal that can be sent and awaited repeatedly. */
export interface Notifier {
  /** Ends all current waits. If there are none, ends the next wait. */
  notify(): void;
  /**
   * Resolves after `notify`, or after `ms` milliseconds. With `keepsAlive` false, the wait alone does not keep the
   * process running.
   */
  wait(ms: number, keepsAlive: boolean): Promise<void>;
}

/** Returns a signal that has not been sent yet. */
export function createNotifier(): Notifier {
  let woken = false;
  const waiting = new Set<() => void>();
  return {
    notify() {
      woken = waiting.size === 0;
      for (const end of waiting) end();
    },
    wait(ms, keepsAlive) {
      if (woken) {
        woken = false;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        const end = (): void => {
          waiting.delete(end);
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(end, ms);
        if (!keepsAlive) timer.unref();
        waiting.add(end);
      });
    },
  };
}

/** Waits for work in the background, in one request to the store at a time. */
export class WorkNews {
  #waiting: AbortController | null = null;

  /**
   * Calls `onNews` once when there may be work for the worker, after `ms` milliseconds at the latest. Does nothing
   * while an earlier call waits.
   */
  expect(worker: JobWorker, ms: number, onNews: () => void): void {
    if (this.#waiting !== null) return;
    const waiting = new AbortController();
    this.#waiting = waiting;
    void worker.waitForWork(ms, waiting.signal).then(() => {
      if (waiting.signal.aborted) return;
      this.#waiting = null;
      onNews();
    });
  }

  /** Ends the wait without calling `onNews`. */
  stop(): void {
    this.#waiting?.abort();
    this.#waiting = null;
  }
}
