import { setImmediate as inNextRound } from "node:timers/promises";

/** Longer work gives up its turn: another tenant's document takes about twenty rounds of the event loop. */
const TURN_MS = 3;

/** Long work on the thread that answers, in turns. */
export interface Turns {
  /** Waits for a turn. To be called before the work begins, too. */
  begin(): Promise<void>;
  /** Whether this turn has taken long enough. */
  readonly isOver: boolean;
}

/** A turn lasts some milliseconds, and each round of the event loop has one turn, however many tasks wait for it. */
export function createTurns(): Turns {
  return new LoopTurns();
}

/** The end of the queue. */
let line: Promise<unknown> = Promise.resolve();

class LoopTurns implements Turns {
  #began = 0;

  async begin(): Promise<void> {
    const mine = line.then(() => inNextRound());
    line = mine;
    await mine;
    this.#began = performance.now();
  }

  get isOver(): boolean {
    return performance.now() - this.#began > TURN_MS;
  }
}
