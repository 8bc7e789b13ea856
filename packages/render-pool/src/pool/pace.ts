/** The work that a process holds in advance, in milliseconds, and the maximum number of documents. */
const AHEAD_MS = 25;
const MAX_AHEAD = 64;

/** The assumed duration of a document before the first one is rendered, in milliseconds. */
const FIRST_GUESS_MS = 5;

/** Measures the speed of a process to decide how many documents it holds. Times are in milliseconds. */
export class Pace {
  #meanMs = FIRST_GUESS_MS;
  /** The time of the last measurement. `#done` is the number of documents that have ended since then. */
  #lastDone: number;
  #done = 0;
  #isFilling = true;

  constructor(now: number) {
    this.#lastDone = now;
  }

  /** Restarts the measurement after idle time or other work. */
  goOn(now: number): void {
    this.#lastDone = now;
  }

  /** Counts a document. After all documents that ended together, call `look`. */
  done(): void {
    this.#done += 1;
  }

  look(now: number): void {
    if (this.#done === 0) return;
    this.#meanMs = 0.7 * this.#meanMs + (0.3 * (now - this.#lastDone)) / this.#done;
    this.#lastDone = now;
    this.#done = 0;
  }

  /**
   * Whether the process should get more documents. Sending many together is cheaper than sending them one by one, so
   * more are sent only when half of the previous ones have ended.
   */
  hasRoom(load: number): boolean {
    const ahead = Math.min(Math.max(Math.ceil(AHEAD_MS / this.#meanMs), 2), MAX_AHEAD);
    this.#isFilling = load < ahead && (this.#isFilling || load <= ahead / 2);
    return this.#isFilling;
  }
}
