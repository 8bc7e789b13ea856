import type { Ending } from "./ops.ts";

/** How much there is of what keeps the ops around it; `shown` grows with everything that shows on the page. */
export interface Counts {
  shown: number;
  rows: number;
  cells: number;
  blocks: number;
}

/** A place in what is written, to which one may go back. */
export interface Mark extends Readonly<Counts> {
  readonly pieces: number;
  readonly ending: Ending;
}

/** What goes on the page, so that the ops around it stay; `never` where no one can tell before the end. */
export type Need = keyof Counts | "never";

/** Where what is written may still be taken back, from the outside in. */
export class Holds {
  readonly #holds: { readonly need: Need; readonly mark: Mark }[] = [];

  push(need: Need, mark: Mark): void {
    this.#holds.push({ need, mark });
  }

  pop(): void {
    this.#holds.pop();
  }

  /** Whether nothing may be taken back, neither of what is written nor of what comes next, with these counts. */
  isSettled(counts: Readonly<Counts>): boolean {
    return this.#holds.every(({ need, mark }) => need !== "never" && counts[need] > mark[need]);
  }

  /** How many of so many pieces can be taken back no more, with these counts. */
  settled(pieces: number, counts: Readonly<Counts>): number {
    let count = pieces;
    let reached = counts;
    for (let at = this.#holds.length - 1; at >= 0; at--) {
      const { need, mark } = this.#holds[at] as { need: Need; mark: Mark };
      // What keeps it may itself be taken back.
      if (need !== "never" && reached[need] > mark[need]) continue;
      count = mark.pieces;
      reached = mark;
    }
    return count;
  }
}
