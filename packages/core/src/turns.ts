import { setImmediate as inNextRound } from "node:timers/promises";

/** What goes on for longer lets others have their turn: a document of somebody else takes some twenty rounds. */
const TURN_MS = 3;

/** Long work on the thread that answers, in turns. */
export interface Turns {
  /** Waits for a turn. To be called before the work begins, too. */
  begin(): Promise<void>;
  /** Whether this turn has taken long enough. */
  readonly isOver: boolean;
}

/** One who works has some milliseconds, and of all who do there is one in each round of the event loop, however many they are. */
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
