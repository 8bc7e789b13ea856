import type { Reference } from "../../program/references.ts";
import type { Target } from "./bookmarks.ts";

/**
 * References to bookmarks that a block omitted from the document. They are known only after the whole document has been
 * written. The document is then rendered again, and these references become plain text.
 */
export class LostReferences {
  readonly #known: ReadonlySet<number>;
  /** References whose bookmarks have not been written yet. */
  readonly #waiting: { readonly number: number; readonly target: Target }[] = [];
  // Created with the first lost reference, because most documents have none.
  #lost: Set<Reference> | null = null;
  #count = 0;

  /** `known` is the result of {@link found} in an earlier pass. */
  constructor(known: ReadonlySet<number>) {
    this.#known = known;
  }

  /**
   * Begins a reference. Returns whether it is lost. The same program and data give the same references in the same
   * order.
   */
  begin(reference: Reference, targets: () => readonly Target[]): boolean {
    const number = this.#count;
    this.#count += 1;
    if (this.#known.has(number)) {
      this.#lost ??= new Set();
      this.#lost.add(reference);
      return true;
    }
    this.#lost?.delete(reference);
    for (const target of targets()) {
      if (!target.found) this.#waiting.push({ number, target });
    }
    return false;
  }

  /** Whether the reference was lost when it last occurred. */
  has(reference: Reference): boolean {
    return this.#lost?.has(reference) ?? false;
  }

  /** Returns all lost references. Complete only after the whole document has been written. */
  found(): ReadonlySet<number> {
    const lost = this.#waiting.filter(({ target }) => !target.found);
    return lost.length === 0
      ? this.#known
      : new Set([...this.#known, ...lost.map(({ number }) => number)]);
  }
}
