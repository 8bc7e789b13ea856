import type { ElementNode } from "../nodes.ts";

/**
 * The numbers that copies of tracked changes get lie above all that templates and renderings give: those
 * have at most nine digits. Word takes 31 bits.
 */
const FIRST = 1_100_000_000;
const ORIGINALS = 8_000_000;
const COPIES = 128;

/** Makes copies of elements of which a tag leaves two: a change that Word tracks has a `w:id` of its own. */
export class CopiedIds {
  readonly #copies = new Map<number, number>();

  /** The element with no children. */
  copyOf(element: ElementNode): ElementNode {
    const attributes = CHANGES.has(element.name)
      ? element.attributes.replace(/(?<= w:id=")\d{1,9}(?=")/, (id) => this.#next(Number(id)))
      : element.attributes;
    return { ...element, attributes, children: [], parent: null };
  }

  /** Numbers of one template differ, in whatever part they stand, so that those of their copies differ too. */
  #next(original: number): string {
    const copies = (this.#copies.get(original) ?? 0) + 1;
    this.#copies.set(original, copies);
    return String(FIRST + (original % ORIGINALS) * COPIES + (copies % COPIES));
  }
}

/** Tracked changes that may stand around runs and in the properties of a run. */
const CHANGES = new Set(["w:ins", "w:del", "w:moveFrom", "w:moveTo", "w:rPrChange"]);
