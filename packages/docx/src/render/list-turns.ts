import type { BlockLists } from "../program/lists.ts";
import type { Op } from "../program/ops.ts";
import type { Output } from "./output.ts";

/** The `w:numId` that a list of the template has at the current position. */
interface Instance {
  readonly numId: number;
  /** The number of items of the list before it. */
  readonly after: number;
}

const UNCHANGED: ReadonlyMap<number, Instance> = new Map();
const NONE: ReadonlySet<number> = new Set();

/** The `w:numId` of each list of the template at the current position. Repeated iterations get separate lists. */
export class ListTurns {
  readonly #output: Pick<Output, "numbering">;
  #current: ReadonlyMap<number, Instance> = UNCHANGED;
  /** For each list, the number of its items that are already written, and the `w:numId` of the last one. */
  readonly #items = new Map<number, { count: number; numId: number }>();
  /** Lists that restart when a section repeats their items. */
  #deferred: Set<number> | null = null;
  /** The same for lists that only the styles of tags put into a section. */
  #deferredChosen: ReadonlySet<number> = NONE;

  constructor(output: Pick<Output, "numbering">) {
    this.#output = output;
  }

  /**
   * Writes the iterations of a block. The lists that begin in it get a separate `w:numId` in each iteration after
   * the first. `lists` is null for the section of an object: lists continue after it as after a condition.
   */
  repeat(lists: BlockLists | null, count: number, turn: (index: number) => void): void {
    if (lists === null) {
      turn(0);
      return;
    }
    const before = this.#current;
    const deferredBefore = this.#deferredChosen;
    const isNew = (numId: number): boolean => !this.#hasBegun(numId);
    const restarted = lists.restarted.filter(isNew);
    const deferred = lists.deferred.filter(isNew);
    const others = lists.chosen === null ? NONE : this.#begun([...lists.decided]);
    for (let index = 0; index < count; index++) {
      if (index > 0) {
        this.restart(restarted);
        for (const numId of deferred) {
          this.#deferred ??= new Set();
          this.#deferred.add(numId);
        }
        if (lists.chosen !== null) this.#nextChosen(lists.chosen, others);
      }
      turn(index);
    }
    for (const numId of deferred) this.#deferred?.delete(numId);
    this.#deferredChosen = deferredBefore;
    this.#current = before;
  }

  /** Restarts the deferred lists in a section. Call this when the section repeats its items. */
  itemsRepeat({ held, holdsChosen }: BlockLists): void {
    this.restart(held.filter((numId) => this.#deferred?.delete(numId)));
    if (!holdsChosen) return;
    this.restart([...this.#deferredChosen]);
    this.#deferredChosen = NONE;
  }

  /** Restarts these lists from here on. */
  restart(lists: readonly number[]): void {
    if (lists.length === 0) return;
    const renumbered = new Map(this.#current);
    for (const numId of lists) {
      const after = this.#items.get(numId)?.count ?? 0;
      renumbered.set(numId, { numId: this.#output.numbering.restart(numId), after });
    }
    this.#current = renumbered;
  }

  /** Continues a list from its last item in the document, even if it restarted since. */
  continue(numId: number): void {
    const last = this.#items.get(numId)?.numId ?? numId;
    this.#current = new Map(this.#current).set(numId, { numId: last, after: 0 });
  }

  /** Counts an item of a list. Returns the `w:numId` that the list has there. */
  next(list: number): number {
    const numId = this.#current.get(list)?.numId ?? list;
    const item = this.#items.get(list);
    if (item === undefined) this.#items.set(list, { count: 1, numId });
    else {
      item.count += 1;
      item.numId = numId;
    }
    return numId;
  }

  /** Returns the XML that refers to a list, with its current `w:numId`. */
  xml({ numId, level }: Extract<Op, { op: "list" }>): string {
    const current = this.next(numId);
    if (level === null) return String(current);
    return current === numId ? "" : numberingXml(current, level);
  }

  /** Whether a list has an item since it last restarted. */
  #hasBegun(numId: number): boolean {
    return (this.#items.get(numId)?.count ?? 0) > (this.#current.get(numId)?.after ?? 0);
  }

  /** Returns these lists, and all that have begun. */
  #begun(lists: readonly number[]): ReadonlySet<number> {
    const begun = [...this.#items.keys()].filter((numId) => this.#hasBegun(numId));
    return new Set([...lists, ...begun]);
  }

  /** Restarts or defers the lists that have begun in the block, except for `others`. */
  #nextChosen(turn: "list" | "either", others: ReadonlySet<number>): void {
    const begun = [...this.#begun([])].filter((numId) => !others.has(numId));
    if (turn === "list") this.restart(begun);
    else this.#deferredChosen = new Set([...this.#deferredChosen, ...begun]);
  }
}

/** Returns the property of a paragraph that names its list. */
export function numberingXml(numId: number, level: number): string {
  return `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${numId}"/></w:numPr>`;
}
