import { setImmediate as inNextRound } from "node:timers/promises";

/** How long one turn lasts. */
const TURN_MS = 10;

/** The end of the queue. */
let line: Promise<unknown> = Promise.resolve();

/**
 * Long work on the thread that answers, in turns of `TURN_MS`: each round of the event loop has only one of them,
 * however many requests have such work.
 */
export class Turns {
  #began = 0;

  /** Waits for a turn. Call it before the work begins, too. */
  async begin(): Promise<void> {
    const mine = line.then(() => inNextRound());
    line = mine;
    await mine;
    this.#began = performance.now();
  }

  /** Whether this turn has used its time. */
  get isOver(): boolean {
    return performance.now() - this.#began > TURN_MS;
  }
}
