import type { BlockLists } from "../../../src/program/lists.ts";
import type { NumberingWriter } from "../../../src/program/numbering-part.ts";
import type { Op } from "../../../src/program/ops.ts";

/** The list numbers while a part is written. Each iteration after the first has new numbers. */
export class ListTurns {
  readonly #numbering: NumberingWriter;
  #current: ReadonlyMap<number, { readonly numId: number; readonly after: number }> = new Map();
  /** The list of each written item, and the number that the item has in the document. */
  readonly #items: { readonly list: number; readonly numId: number }[] = [];
  /** Lists that restart when a section repeats their items. */
  readonly #deferred = new Set<number>();
  #deferredChosen: readonly number[] = [];

  constructor(numbering: NumberingWriter) {
    this.#numbering = numbering;
  }

  /** Runs the iterations of a block. After the first, each iteration gives new numbers to lists that start in it. */
  repeat(lists: BlockLists, count: number, turn: (index: number) => void): void {
    const before = this.#current;
    const deferredBefore = this.#deferredChosen;
    const older = this.#begun();
    const restarted = lists.restarted.filter((list) => !older.includes(list));
    const deferred = lists.deferred.filter((list) => !older.includes(list));
    for (let index = 0; index < count; index++) {
      if (index > 0) {
        this.restart(restarted);
        for (const list of deferred) this.#deferred.add(list);
        const others = [...older, ...lists.decided];
        const chosen = this.#begun().filter((list) => !others.includes(list));
        if (lists.chosen === "list") this.restart(chosen);
        if (lists.chosen === "either") this.#deferredChosen = [...this.#deferredChosen, ...chosen];
      }
      turn(index);
    }
    for (const list of deferred) this.#deferred.delete(list);
    this.#deferredChosen = deferredBefore;
    this.#current = before;
  }

  /** Call this when a section repeats its items: the deferred lists in it restart. */
  itemsRepeat({ held, holdsChosen }: BlockLists): void {
    this.restart(held.filter((list) => this.#deferred.delete(list)));
    if (!holdsChosen) return;
    this.restart([...new Set(this.#deferredChosen)]);
    this.#deferredChosen = [];
  }

  /** From here, these lists have new numbers and restart. */
  restart(lists: readonly number[]): void {
    if (lists.length === 0) return;
    const renumbered = new Map(this.#current);
    for (const list of lists) {
      renumbered.set(list, { numId: this.#numbering.restart(list), after: this.#items.length });
    }
    this.#current = renumbered;
  }

  /** From here, a list has the number of its last item. */
  continue(list: number): void {
    const numId = this.#items.findLast((item) => item.list === list)?.numId ?? list;
    this.#current = new Map(this.#current).set(list, { numId, after: 0 });
  }

  /** Notes an item of a list. Returns the number of the list at this place. */
  next(list: number): number {
    const numId = this.#current.get(list)?.numId ?? list;
    this.#items.push({ list, numId });
    return numId;
  }

  /** Returns the XML for the number of a list at this place. */
  xml({ numId, level }: Extract<Op, { op: "list" }>): string {
    const current = this.next(numId);
    if (level === null) return String(current);
    if (current === numId) return "";
    return `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${current}"/></w:numPr>`;
  }

  /** Returns the lists that have an item since they last restarted. */
  #begun(): number[] {
    const begun = this.#items.filter(({ list }, at) => at >= (this.#current.get(list)?.after ?? 0));
    return [...new Set(begun.map(({ list }) => list))];
  }
}
