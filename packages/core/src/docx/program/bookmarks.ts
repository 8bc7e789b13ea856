/** A name that a bookmark has in a document. */
export interface BookmarkName {
  readonly name: string;
  /** Whether a bookmark of this name has been written. */
  written: boolean;
}

/** The names of bookmarks by those that they have in the template. */
export type BookmarkNames = Map<string, BookmarkName>;

/** A turn of a block, as far as bookmarks go. */
interface Turn {
  /** Null when the item is no element of a list. */
  readonly index: number | null;
  readonly outer: Turn | null;
  readonly bookmarks: ReadonlySet<string>;
  names: BookmarkNames | null;
}

/** A further copy of a note: its bookmarks have names of their own. */
export interface NoteCopy {
  readonly bookmarks: ReadonlySet<string>;
  readonly names: BookmarkNames;
}

/**
 * Names the bookmarks of one document, as each must have a name of its own: the first one that is
 * written keeps the template's, those of further turns get others. What refers to one means that of its
 * own turn, or the first one of the turns within it.
 */
export class Bookmarks {
  readonly #taken: ReadonlySet<string>;
  readonly #counts = new Map<string, number>();
  readonly #names: BookmarkNames = new Map();

  /** `taken`: the names of the template, in lower case, as Word compares them. */
  constructor(taken: ReadonlySet<string>) {
    this.#taken = taken;
  }

  /** The name at a place. `starts`: the bookmark itself begins there; else something refers to it. */
  nameAt(name: string, turn: Turn | null, copy: NoteCopy | null, starts: boolean): string {
    const homes = this.#homesOf(name, turn, copy);
    const [own] = homes;
    const known =
      own?.get(name) ?? homes.map((home) => home.get(name)).find((each) => each?.written === false);
    if (known !== undefined && !starts) return known.name;
    const settled = known ?? { name: this.#unique(name), written: false };
    // Around the turn, too, this is the one that is meant, unless there was one before.
    for (const home of starts ? homes : homes.slice(0, 1)) {
      if (home === own || !home.has(name)) home.set(name, settled);
    }
    settled.written ||= starts;
    return settled.name;
  }

  /** The turns that the bookmark belongs to, from the innermost; at last the document. */
  #homesOf(name: string, turn: Turn | null, copy: NoteCopy | null): BookmarkNames[] {
    const homes: BookmarkNames[] = [];
    for (let at = turn; at !== null; at = at.outer) {
      // An object's section is shown once: it is no turn.
      if (at.index === null || !at.bookmarks.has(name)) continue;
      at.names ??= new Map();
      homes.push(at.names);
    }
    if (copy?.bookmarks.has(name)) homes.push(copy.names);
    if (!this.#names.has(name)) this.#names.set(name, { name, written: false });
    homes.push(this.#names);
    return homes;
  }

  /** A name that no other one has; Word knows at most 40 characters of it. */
  #unique(name: string): string {
    const start = name.slice(0, LONGEST - ROOM);
    const key = start.toLowerCase();
    let count = this.#counts.get(key) ?? 1;
    let unique: string;
    do {
      count += 1;
      const suffix = `_${count}`;
      unique = `${name.length + suffix.length > LONGEST ? start : name}${suffix}`;
    } while (this.#taken.has(unique.toLowerCase()));
    this.#counts.set(key, count);
    return unique;
  }
}

const LONGEST = 40;

/** What a number takes at most, with the character before it. */
const ROOM = 9;
