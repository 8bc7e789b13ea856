import type { ElementNode } from "../nodes/nodes.ts";

/**
 * Copies of tracked changes get ids above all ids in templates and rendered documents, which have at most nine digits.
 * Word allows 31 bits.
 */
const FIRST = 1_100_000_000;
const ORIGINALS = 8_000_000;
const COPIES = 128;

/** Copies elements that a tag splits, because a tracked change needs a unique `w:id`. */
export class CopiedIds {
  readonly #copies = new Map<number, number>();

  /** Returns a copy of the element without children. */
  copyOf(element: ElementNode): ElementNode {
    const attributes = CHANGES.has(element.name)
      ? element.attributes.replace(/(?<= w:id=")\d{1,9}(?=")/, (id) => this.#next(Number(id)))
      : element.attributes;
    return { ...element, attributes, children: [], parent: null };
  }

  /** Returns the id of the next copy. No id occurs twice in a template, so the ids of copies also differ. */
  #next(original: number): string {
    const copies = (this.#copies.get(original) ?? 0) + 1;
    this.#copies.set(original, copies);
    return String(FIRST + (original % ORIGINALS) * COPIES + (copies % COPIES));
  }
}

/** Tracked changes that may be around runs and in the properties of a run. */
const CHANGES = new Set(["w:ins", "w:del", "w:moveFrom", "w:moveTo", "w:rPrChange"]);
