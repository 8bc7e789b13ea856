/** Something to wait for that happens again and again. */
export interface WakeUp {
  /** Ends all waits, and the next one if nobody waits. */
  wake(): void;
  /**
   * Resolves when it is woken, or after so long. With `keepsAlive` false the wait alone does not keep the
   * process running.
   */
  wait(ms: number, keepsAlive: boolean): Promise<void>;
}

/** One that nobody has woken yet. */
export function wakeUp(): WakeUp {
  let woken = false;
  const waiting = new Set<() => void>();
  return {
    wake() {
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
