/** A process holds documents for about so long, at most so many. */
const AHEAD_MS = 25;
const MAX_AHEAD = 64;

/** How long a document is taken to need before one has been rendered. */
const FIRST_GUESS_MS = 5;

/** How fast a process works, and so how many documents it holds. Times are in milliseconds. */
export class Pace {
  #meanMs = FIRST_GUESS_MS;
  /** When the last document was done, and how many were since that was looked at. */
  #lastDone: number;
  #done = 0;
  #isFilling = true;

  constructor(now: number) {
    this.#lastDone = now;
  }

  /** It goes on, after a time in which it did nothing, or something else. */
  goOn(now: number): void {
    this.#lastDone = now;
  }

  /** A document is done; `look` is called when all that were are told. */
  done(): void {
    this.#done += 1;
  }

  look(now: number): void {
    if (this.#done === 0) return;
    this.#meanMs = 0.7 * this.#meanMs + (0.3 * (now - this.#lastDone)) / this.#done;
    this.#lastDone = now;
    this.#done = 0;
  }

  /** Whether it should hold more. Many at once are less work than one by one: it is filled up when half of them are done. */
  hasRoom(load: number): boolean {
    const ahead = Math.min(Math.max(Math.ceil(AHEAD_MS / this.#meanMs), 2), MAX_AHEAD);
    this.#isFilling = load < ahead && (this.#isFilling || load <= ahead / 2);
    return this.#isFilling;
  }
}
