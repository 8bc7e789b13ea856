import { setImmediate as inNextRound } from "node:timers/promises";

/** What goes on for longer lets others have their turn. */
const TURN_MS = 10;

/** The end of the line of those who wait. */
let line: Promise<unknown> = Promise.resolve();

/**
 * Long work on the thread that answers, in turns: one who works has `TURN_MS`, and of all who do there is one in each
 * round of the event loop, however many they are.
 */
export class Turns {
  #began = 0;

  /** Waits for a turn. To be called before the work begins, too. */
  async begin(): Promise<void> {
    const mine = line.then(() => inNextRound());
    line = mine;
    await mine;
    this.#began = performance.now();
  }

  /** Whether this turn has taken long enough. */
  get isOver(): boolean {
    return performance.now() - this.#began > TURN_MS;
  }
}
