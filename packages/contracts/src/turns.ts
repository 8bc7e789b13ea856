import { setImmediate as inNextRound } from "node:timers/promises";

/**
 * Work yields after this time. It is short because a document of another tenant takes about twenty rounds of the event
 * loop.
 */
const TURN_MS = 3;

/** Lets long work on the main thread yield to other work. */
export interface Turns {
  /** Waits for a turn. Also call it before the work begins. */
  begin(): Promise<void>;
  /** Whether this turn has lasted long enough. */
  readonly isOver: boolean;
}

/**
 * Creates the turns of one task. A turn lasts a few milliseconds. Each round of the event loop has one turn, regardless
 * of the number of waiting tasks.
 */
export function createTurns(): Turns {
  return new LoopTurns();
}

/** Resolves when the turn of the last task in the queue begins. */
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
