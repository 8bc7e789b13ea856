import type { PathExpression } from "../../language/grammar/expression.ts";
import type { ItemBlock, ItemLink, ItemTarget } from "../../program/references.ts";
import { UniqueNames } from "../../template/fields/unique-names.ts";

/** A bookmark of the template in one iteration of a block, or in the whole document. */
export interface Target {
  /** For a bookmark of an item, a guess until the bookmark has been written. */
  name: string;
  /** Whether a bookmark of this iteration has been written, and whether it has been written several times. */
  found: boolean;
  again: boolean;
}

/** The bookmarks of an iteration, by their names in the template, and for links by their items: see {@link ItemLink}. */
export type BookmarkNames = Map<string, Target>;

/** What bookmarks need to know about an iteration of a block. */
export interface Turn {
  readonly item: unknown;
  readonly items: readonly unknown[] | null;
  readonly path: PathExpression;
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
  readonly link?: ItemLink;
  readonly targets?: readonly ItemTarget[];
}

/** Returns a text that is the same for the same items of these blocks. */
export type ItemKey = (blocks: readonly ItemBlock[], turn: Turn | null) => string;

/** A further copy of a note. Its bookmarks have separate names. */
export interface NoteCopy {
  readonly bookmarks: ReadonlySet<string>;
  readonly names: BookmarkNames;
}

/**
 * Names the bookmarks of one document, because each needs a unique name. The first copy of a bookmark keeps the
 * template's name, and the copies in further iterations get other names. A reference means the bookmark of the same
 * iteration; without such a bookmark, the first one in a block within this iteration. A link means the first one with
 * the same items.
 */
export class Bookmarks {
  readonly #unique: UniqueNames;
  readonly #itemKey: ItemKey;
  /** The names that the copies will have if they come in the order of the links to them. */
  readonly #expected: UniqueNames;
  // Created with the first bookmark, because most documents have none.
  #names: BookmarkNames | null = null;
  /** Targets that were found in content that may still be rolled back. */
  readonly #found: Target[] = [];
  #savepoints = 0;

  /** `taken` contains the names in the template, in lowercase, as Word compares them. */
  constructor(taken: ReadonlySet<string>, itemKey: ItemKey) {
    this.#unique = new UniqueNames(taken);
    this.#expected = new UniqueNames(taken);
    this.#itemKey = itemKey;
  }

  /**
   * Returns the name to write. `starts` says whether the bookmark itself begins here; otherwise, something refers to
   * it.
   */
  nameOf(op: NamedOp, turn: Turn | null, copy: NoteCopy | null): string {
    const { name, starts, targets } = op;
    if (!starts) return this.refer(op, turn, copy).name;
    const homes = this.#homesOf(name, turn, copy);
    const own = this.#targetIn(homes, name);
    // A text box has a copy for older programs.
    if (own.found) return own.name;
    for (const home of homes) this.#find(home.get(name));
    for (const target of targets ?? []) this.#findItem(name, own, target, turn);
    return own.name;
  }

  /**
   * Returns the bookmark that a reference means. `expected`: the name of a bookmark that may not have been written yet,
   * if an earlier pass found it.
   */
  refer(
    { name, link }: Pick<NamedOp, "name"> & { readonly link?: ItemLink | undefined },
    turn: Turn | null,
    copy: NoteCopy | null,
    expected?: string,
  ): Target {
    if (link === undefined) return this.#targetIn(this.#homesOf(name, turn, copy), name);
    const homes = this.#homesOf(name, outsideOf(link, turn), copy);
    const key = this.#keyOf(name, link, turn);
    const known = homes[0]?.get(key);
    if (known !== undefined) return known;
    const target = newTarget(expected ?? this.#expectedName(name));
    homes[0]?.set(key, target);
    return target;
  }

  #find(target: Target | undefined): void {
    if (target === undefined) return;
    target.again ||= target.found;
    if (target.found) return;
    target.found = true;
    if (this.#savepoints > 0) this.#found.push(target);
  }

  /** Records that a bookmark of these items begins. The first one counts. */
  #findItem(name: string, { name: given }: Target, target: ItemTarget, turn: Turn | null): void {
    const [home] = this.#homesOf(name, outsideOf(target, turn), null);
    const key = this.#keyOf(name, target, turn);
    const known = home?.get(key) ?? newTarget(given);
    home?.set(key, known);
    if (!known.found) known.name = given;
    this.#find(known);
  }

  #keyOf(name: string, { id, blocks }: ItemLink, turn: Turn | null): string {
    // Names do not contain line breaks.
    return `${name}\n${id}\n${this.#itemKey(blocks, turn)}`;
  }

  #expectedName(name: string): string {
    const key = `${name}\n`;
    const isFirst = this.#names?.get(name)?.found !== true && this.#names?.has(key) !== true;
    if (!isFirst) return this.#expected.next(name);
    this.#names?.set(key, newTarget(name));
    return name;
  }

  /** Whether the document has a bookmark with this name. Complete only after the whole document has been written. */
  has(name: string): boolean {
    return this.#names?.get(name)?.found === true || this.#unique.gave(name);
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
    if (!this.#names.has(name)) this.#names.set(name, newTarget(name));
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
    const own = newTarget(known.found ? this.#unique.next(name) : known.name);
    homes[0]?.set(name, own);
    for (const home of homes.slice(1, at)) home.set(name, { ...own });
    return own;
  }
}

/** Returns the innermost iteration around the blocks of a link. */
function outsideOf({ inside }: ItemLink, turn: Turn | null): Turn | null {
  let outside = turn;
  for (let at = turn; at !== null; at = at.outer) if (inside.has(at.path)) outside = at.outer;
  return outside;
}

function newTarget(name: string): Target {
  return { name, found: false, again: false };
}
