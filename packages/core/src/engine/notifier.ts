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
