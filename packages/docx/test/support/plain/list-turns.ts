import type { BlockLists } from "../../../src/program/lists.ts";
import type { NumberingWriter } from "../../../src/program/numbering-part.ts";
import type { Op } from "../../../src/program/ops.ts";

/** The list numbers while a part is written. Each iteration after the first has new numbers. */
export class ListTurns {
  readonly #numbering: NumberingWriter;
  #current: ReadonlyMap<number, number> = new Map();
  readonly #last = new Map<number, number>();
  /** Lists that restart when a section repeats their items. */
  readonly #deferred = new Set<number>();

  constructor(numbering: NumberingWriter) {
    this.#numbering = numbering;
  }

  /** Runs the iterations of a block. After the first, each iteration gives new numbers to lists that start in it. */
  repeat(lists: BlockLists, count: number, turn: (index: number) => void): void {
    const before = this.#current;
    for (let index = 0; index < count; index++) {
      if (index > 0) {
        this.restart(lists.restarted);
        for (const numId of lists.deferred) this.#deferred.add(numId);
      }
      turn(index);
    }
    for (const numId of lists.deferred) this.#deferred.delete(numId);
    this.#current = before;
  }

  /** Call this when a section repeats its items: the deferred lists in it restart. */
  itemsRepeat({ held }: BlockLists): void {
    this.restart(held.filter((numId) => this.#deferred.delete(numId)));
  }

  /** From here, these lists have new numbers and restart. */
  restart(lists: readonly number[]): void {
    if (lists.length === 0) return;
    const renumbered = new Map(this.#current);
    for (const numId of lists) renumbered.set(numId, this.#numbering.restart(numId));
    this.#current = renumbered;
  }

  /** From here, a list has the number of its last item. */
  continue(numId: number): void {
    const continued = new Map(this.#current);
    continued.set(numId, this.#last.get(numId) ?? numId);
    this.#current = continued;
  }

  /** Returns the XML for the number of a list at this place. */
  xml({ numId, level }: Extract<Op, { op: "list" }>): string {
    const current = this.#current.get(numId) ?? numId;
    this.#last.set(numId, current);
    if (level === null) return String(current);
    if (current === numId) return "";
    return `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${current}"/></w:numPr>`;
  }
}
