import type { Slot } from "../../deflate/pieces.ts";

/**
 * The slots of a document that are filled later. A paragraph that shows nothing is removed, even if a slot in it is
 * filled later, for example with a delimiter after an empty string. In that case, the document is rendered again, and
 * these slots count as visible from the start.
 */
export class LatePlaces {
  readonly #known: ReadonlySet<number>;
  readonly #rolledBack: Slot[] = [];
  #count = 0;

  /** `known` is the result of {@link found} in an earlier pass. */
  constructor(known: ReadonlySet<number>) {
    this.#known = known;
  }

  /** Creates a slot. The same program and data create the same slots in the same order. */
  create(): Slot {
    const number = this.#count;
    this.#count += 1;
    return { xml: "", index: -1, number };
  }

  /** Whether a later value fills the slot, so that its paragraph must be kept. */
  shows({ number }: Slot): boolean {
    return this.#known.has(number);
  }

  rollback(place: Slot): void {
    this.#rolledBack.push(place);
  }

  /**
   * Returns the numbers of the slots that were filled but removed. Complete only after the whole document has been
   * written.
   */
  found(): ReadonlySet<number> {
    const filled = this.#rolledBack.filter(({ xml }) => xml !== "");
    return filled.length === 0
      ? this.#known
      : new Set([...this.#known, ...filled.map(({ number }) => number)]);
  }
}
