import type { Ending } from "../program/static-op.ts";

/**
 * Counts of content. If no content of a certain kind is added within an op, the op is rolled back. `shown` counts
 * everything that is visible on the page.
 */
export interface Counts {
  shown: number;
  rows: number;
  cells: number;
  blocks: number;
}

/** A position in the output to which it may be rolled back. */
export interface Mark extends Readonly<Counts> {
  readonly pieces: number;
  /** The number of used relationships. */
  readonly relationships: number;
  readonly ending: Ending;
}

/** The kind of content that prevents a rollback; `never` if a rollback is decided only at the end. */
export type Need = keyof Counts | "never";

/** The positions to which the output may still be rolled back, outermost first. */
export class Savepoints {
  readonly #savepoints: { readonly need: Need; readonly mark: Mark }[] = [];

  push(need: Need, mark: Mark): void {
    this.#savepoints.push({ need, mark });
  }

  pop(): void {
    this.#savepoints.pop();
  }

  /** Whether, with these counts, neither existing nor further output can be rolled back. */
  isSettled(counts: Readonly<Counts>): boolean {
    return this.#savepoints.every(
      ({ need, mark }) => need !== "never" && counts[need] > mark[need],
    );
  }

  /** Returns how many of these pieces, with these counts, can no longer be rolled back. */
  settled(pieces: number, counts: Readonly<Counts>): number {
    let count = pieces;
    let reached = counts;
    for (let at = this.#savepoints.length - 1; at >= 0; at--) {
      const { need, mark } = this.#savepoints[at] as { need: Need; mark: Mark };
      // The content that prevents this rollback may itself be rolled back.
      if (need !== "never" && reached[need] > mark[need]) continue;
      count = mark.pieces;
      reached = mark;
    }
    return count;
  }
}
