import { UniqueNames } from "../../template/fields/unique-names.ts";

/** A bookmark of the template in one iteration of a block, or in the whole document. */
export interface Target {
  readonly name: string;
  /** Whether a bookmark of this iteration has been written. */
  found: boolean;
}

/** The bookmarks of an iteration, by their names in the template. */
export type BookmarkNames = Map<string, Target>;

/** What bookmarks need to know about an iteration of a block. */
interface Turn {
  /** Null if the item is not an element of a list. */
  readonly index: number | null;
  readonly outer: Turn | null;
  readonly bookmarks: ReadonlySet<string>;
  names: BookmarkNames | null;
}

/** A position where the name of a bookmark is written. */
interface NamedOp {
  readonly name: string;
  readonly starts: boolean;
}

/** A further copy of a note. Its bookmarks have separate names. */
export interface NoteCopy {
  readonly bookmarks: ReadonlySet<string>;
  readonly names: BookmarkNames;
}

/**
 * Names the bookmarks of one document, because each needs a unique name. The first copy of a bookmark keeps the
 * template's name, and the copies in further iterations get other names. A reference means the bookmark of the same
 * iteration or, if there is none, the first one in a block within this iteration.
 */
export class Bookmarks {
  readonly #unique: UniqueNames;
  // Created with the first bookmark, because most documents have none.
  #names: BookmarkNames | null = null;
  /** Targets that were found in content that may still be rolled back. */
  readonly #found: Target[] = [];
  #savepoints = 0;

  /** `taken` contains the names in the template, in lowercase, as Word compares them. */
  constructor(taken: ReadonlySet<string>) {
    this.#unique = new UniqueNames(taken);
  }

  /**
   * Returns the name to write. `starts` says whether the bookmark itself begins here; otherwise, something refers to
   * it.
   */
  nameOf({ name, starts }: NamedOp, turn: Turn | null, copy: NoteCopy | null): string {
    const homes = this.#homesOf(name, turn, copy);
    const own = this.#targetIn(homes, name);
    for (const home of starts ? homes : []) {
      const target = home.get(name);
      if (target === undefined || target.found) continue;
      target.found = true;
      if (this.#savepoints > 0) this.#found.push(target);
    }
    return own.name;
  }

  /** Returns the bookmark that a reference means. */
  refer(name: string, turn: Turn | null, copy: NoteCopy | null): Target {
    return this.#targetIn(this.#homesOf(name, turn, copy), name);
  }

  /** Begins content that may be rolled back. Pass the result to {@link release}. */
  savepoint(): number {
    this.#savepoints += 1;
    return this.#found.length;
  }

  /** Ends the content. If it was rolled back, the document does not have its bookmarks. */
  release(savepoint: number, stays: boolean): void {
    this.#savepoints -= 1;
    if (!stays) for (const target of this.#found.slice(savepoint)) target.found = false;
    if (!stays || this.#savepoints === 0) this.#found.length = savepoint;
  }

  /** Returns the iterations around a place that have the bookmark, innermost first, and then the document. */
  #homesOf(name: string, turn: Turn | null, copy: NoteCopy | null): BookmarkNames[] {
    const homes: BookmarkNames[] = [];
    for (let at = turn; at !== null; at = at.outer) {
      // A section over an object is shown once, so it is not an iteration.
      if (at.index === null || !at.bookmarks.has(name)) continue;
      at.names ??= new Map();
      homes.push(at.names);
    }
    if (copy?.bookmarks.has(name)) homes.push(copy.names);
    this.#names ??= new Map();
    if (!this.#names.has(name)) this.#names.set(name, { name, found: false });
    homes.push(this.#names);
    return homes;
  }

  /**
   * Returns the bookmark of the innermost iteration. Outer iterations share this bookmark until they have one of their
   * own.
   */
  #targetIn(homes: readonly BookmarkNames[], name: string): Target {
    const at = homes.findIndex((home) => home.has(name));
    const known = homes[at]?.get(name);
    if (known === undefined) throw new Error("The document knows all of its bookmarks.");
    if (at === 0) return known;
    const own = { name: known.found ? this.#unique.next(name) : known.name, found: false };
    homes[0]?.set(name, own);
    for (const home of homes.slice(1, at)) home.set(name, { ...own });
    return own;
  }
}
