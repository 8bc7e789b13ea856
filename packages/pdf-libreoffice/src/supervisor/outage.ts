/** Pauses between attempts to start a lane, in milliseconds: seven seconds in total. */
const PAUSES_MS = [1_000, 2_000, 4_000];

/**
 * A time in which no lane starts although lanes ran before. For example, the temporary folder is full, LibreOffice is
 * being replaced, or memory is short. Documents wait some seconds for its end. After that, they fail with an error that
 * an engine takes as the reason to pause their batch, and reports.
 */
export class Outage {
  #hadLane = false;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Whether no lane should be started now. */
  get isPaused(): boolean {
    return this.#timer !== undefined;
  }

  /** Records that a lane started. */
  end(): void {
    this.#hadLane = true;
    this.#failures = 0;
    this.stop();
  }

  /** Records that no lane starts, and calls `retry` after a pause. Returns false if documents should not wait longer. */
  pause(retry: () => void): boolean {
    const pauseMs = PAUSES_MS[this.#failures];
    if (!this.#hadLane || pauseMs === undefined) return false;
    if (this.isPaused) return true;
    this.#failures += 1;
    this.#timer = setTimeout(() => {
      this.stop();
      retry();
    }, pauseMs);
    return true;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
