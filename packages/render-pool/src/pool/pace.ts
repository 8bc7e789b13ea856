/** A process holds documents for about this many milliseconds of work, up to a maximum number. */
const AHEAD_MS = 25;
const MAX_AHEAD = 64;

/** The assumed time for a document before one has been rendered. */
const FIRST_GUESS_MS = 5;

/** Measures how fast a process works, to decide how many documents it holds. Times are in milliseconds. */
export class Pace {
  #meanMs = FIRST_GUESS_MS;
  /** The time of the last measurement, and the number of documents done since then. */
  #lastDone: number;
  #done = 0;
  #isFilling = true;

  constructor(now: number) {
    this.#lastDone = now;
  }

  /** Starts the clock again after an idle time or other work. */
  goOn(now: number): void {
    this.#lastDone = now;
  }

  /** Counts a document. Call `look` after all documents that ended together. */
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
   * Whether the process should hold more documents. Sending many at once is cheaper than one by one, so more are sent
   * only when half of the previous ones are done.
   */
  hasRoom(load: number): boolean {
    const ahead = Math.min(Math.max(Math.ceil(AHEAD_MS / this.#meanMs), 2), MAX_AHEAD);
    this.#isFilling = load < ahead && (this.#isFilling || load <= ahead / 2);
    return this.#isFilling;
  }
}
