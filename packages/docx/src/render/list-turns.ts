import type { BlockLists } from "../program/lists.ts";
import type { Op } from "../program/ops.ts";
import type { Output } from "./output.ts";

const UNCHANGED: ReadonlyMap<number, number> = new Map();

/** The `w:numId` of each list of the template at the current position. Repeated iterations get separate lists. */
export class ListTurns {
  readonly #output: Pick<Output, "numbering">;
  #current: ReadonlyMap<number, number> = UNCHANGED;
  /** The number that the last item of each list has in the document. */
  readonly #last = new Map<number, number>();
  /** Lists that restart when a section repeats their items. */
  #deferred: Set<number> | null = null;

  constructor(output: Pick<Output, "numbering">) {
    this.#output = output;
  }

  /**
   * Writes the iterations of a block. The lists that begin in it get a separate `w:numId` in each iteration after
   * the first.
   */
  repeat(lists: BlockLists, count: number, turn: (index: number) => void): void {
    const before = this.#current;
    for (let index = 0; index < count; index++) {
      if (index > 0) {
        this.restart(lists.restarted);
        for (const numId of lists.deferred) {
          this.#deferred ??= new Set();
          this.#deferred.add(numId);
        }
      }
      turn(index);
    }
    for (const numId of lists.deferred) this.#deferred?.delete(numId);
    this.#current = before;
  }

  /** Restarts the deferred lists in a section. Call this when the section repeats its items. */
  itemsRepeat({ held }: BlockLists): void {
    this.restart(held.filter((numId) => this.#deferred?.delete(numId)));
  }

  /** Restarts these lists from here on. */
  restart(lists: readonly number[]): void {
    if (lists.length === 0) return;
    const renumbered = new Map(this.#current);
    for (const numId of lists) renumbered.set(numId, this.#output.numbering.restart(numId));
    this.#current = renumbered;
  }

  /** Continues a list from its last item in the document, even if it restarted since. */
  continue(numId: number): void {
    this.#current = new Map(this.#current).set(numId, this.#last.get(numId) ?? numId);
  }

  /** Returns the XML that refers to a list, with its current `w:numId`. */
  xml({ numId, level }: Extract<Op, { op: "list" }>): string {
    const current = this.#current.get(numId) ?? numId;
    this.#last.set(numId, current);
    if (level === null) return String(current);
    if (current === numId) return "";
    return `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${current}"/></w:numPr>`;
  }
}
