import type { Slot } from "../deflate/pieces.ts";

/**
 * The places of a document that are left empty until it is known what to write there. A paragraph that shows
 * nothing is taken back, also when such a place of it is filled later: a delimiter behind an empty text. When that
 * has happened, the document is run again, and then these places show something from the start.
 */
export class LatePlaces {
  readonly #known: ReadonlySet<number>;
  readonly #takenBack: Slot[] = [];
  #count = 0;

  /** `known`: the result of {@link learnt} in an earlier run. */
  constructor(known: ReadonlySet<number>) {
    this.#known = known;
  }

  /** A new place. The same program and data leave the same places in the same order. */
  leave(): Slot {
    const number = this.#count;
    this.#count += 1;
    return { xml: "", index: -1, number };
  }

  /** Whether a later value fills the place, so that its paragraph must be kept. */
  shows({ number }: Slot): boolean {
    return this.#known.has(number);
  }

  takeBack(place: Slot): void {
    this.#takenBack.push(place);
  }

  /** The places that are filled and were taken back. Complete when the whole document is written. */
  learnt(): ReadonlySet<number> {
    const filled = this.#takenBack.filter(({ xml }) => xml !== "");
    return filled.length === 0
      ? this.#known
      : new Set([...this.#known, ...filled.map(({ number }) => number)]);
  }
}
