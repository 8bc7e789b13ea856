import type { Reference } from "../../program/references.ts";
import type { Target } from "./bookmarks.ts";

/** What an earlier pass found out about the references of a document, by their numbers. */
export interface KnownReferences {
  /** References to bookmarks that a block omitted. */
  readonly lost: ReadonlySet<number>;
  /** The names of bookmarks that come after a reference to them and have other names than expected. */
  readonly names: ReadonlyMap<number, readonly string[]>;
}

/** The knowledge before the first pass. */
export const NOTHING_KNOWN: KnownReferences = { lost: new Set(), names: new Map() };

/** A reference whose bookmarks have not been written yet. */
interface Waiting {
  readonly number: number;
  readonly targets: readonly Target[];
  /** The names that the document has at the reference. */
  readonly names: readonly string[];
}

/**
 * References to bookmarks that a block omitted from the document, or whose names depend on content after the reference.
 * This is known only after the whole document has been written. The document is then rendered again: lost references
 * become plain text, and the others get the names of their bookmarks.
 */
export class LateReferences {
  readonly #known: KnownReferences;
  readonly #waiting: Waiting[] = [];
  // Created with the first lost reference, because most documents have none.
  #lost: Set<Reference> | null = null;
  #count = 0;

  /** `known` is the result of {@link found} in an earlier pass. */
  constructor(known: KnownReferences) {
    this.#known = known;
  }

  /**
   * Begins a reference. Returns whether it is lost. The same program and data give the same references in the same
   * order. `targets` returns the bookmarks; it gets their names if an earlier pass found that they were not as expected.
   */
  begin(
    reference: Reference,
    targets: (names: readonly string[] | undefined) => readonly Target[],
  ): boolean {
    const number = this.#count;
    this.#count += 1;
    if (this.#known.lost.has(number)) {
      this.#lost ??= new Set();
      this.#lost.add(reference);
      return true;
    }
    this.#lost?.delete(reference);
    const all = targets(this.#known.names.get(number));
    if (all.some(({ found }) => !found)) {
      this.#waiting.push({ number, targets: all, names: all.map(({ name }) => name) });
    }
    return false;
  }

  /** Whether the reference was lost when it last occurred. */
  has(reference: Reference): boolean {
    return this.#lost?.has(reference) ?? false;
  }

  /**
   * Returns the knowledge after this pass; the same object as before if nothing is new. Complete only after the whole
   * document has been written.
   */
  found(): KnownReferences {
    const isLost = ({ targets }: Waiting): boolean => targets.some(({ found }) => !found);
    const lost = this.#waiting.filter(isLost).map(({ number }) => number);
    const renamed = this.#waiting.filter(
      (each) => !isLost(each) && each.targets.some(({ name }, at) => name !== each.names[at]),
    );
    if (lost.length + renamed.length === 0) return this.#known;
    const names = renamed.map(({ number, targets }) => [number, targets.map(nameOf)] as const);
    return {
      lost: new Set([...this.#known.lost, ...lost]),
      names: new Map([...this.#known.names, ...names]),
    };
  }
}

function nameOf({ name }: Target): string {
  return name;
}
