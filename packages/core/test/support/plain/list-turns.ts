import type { BlockLists } from "../../../src/docx/program/lists.ts";
import type { NumberingWriter } from "../../../src/docx/program/numbering.ts";
import type { Op } from "../../../src/docx/program/ops.ts";

/** The numbers that the lists of the template have while a part is written: other ones in each further turn. */
export class ListTurns {
  readonly #numbering: NumberingWriter;
  #current: ReadonlyMap<number, number> = new Map();
  /** Lists that begin anew when a section repeats their items. */
  readonly #deferred = new Set<number>();

  constructor(numbering: NumberingWriter) {
    this.#numbering = numbering;
  }

  /** The turns of a block; the lists that begin in it get a number of their own in each after the first. */
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

  /** A section repeats items, so each turn of the block around has lists of its own. */
  itemsRepeat({ held }: BlockLists): void {
    this.restart(held.filter((numId) => this.#deferred.delete(numId)));
  }

  /** From here on these lists are others, that begin anew. */
  restart(lists: readonly number[]): void {
    if (lists.length === 0) return;
    const renumbered = new Map(this.#current);
    for (const numId of lists) renumbered.set(numId, this.#numbering.restart(numId));
    this.#current = renumbered;
  }

  /** What stands for a list's number here. */
  xml({ numId, level }: Extract<Op, { op: "list" }>): string {
    const current = this.#current.get(numId) ?? numId;
    if (level === null) return String(current);
    if (current === numId) return "";
    return `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${current}"/></w:numPr>`;
  }
}
