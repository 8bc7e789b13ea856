import type { Frame } from "./frames.ts";
import type { BookmarkPlace } from "./part-references.ts";

/** Word's name for the beginning of the document. */
export const TOP = "_top";

/** Summarizes all bookmarks with the same name: a file may contain a name twice, and thousands of references to it. */
export interface Bookmark extends Pick<BookmarkPlace, "name" | "moved" | "notesMoved"> {
  readonly holdsData: boolean;
  /** The frames that contain the bookmark. */
  readonly frames: ReadonlySet<Frame | null>;
}

/** The bookmarks of a template by name. Word ignores the case. */
export class BookmarkPlaces {
  readonly #places: ReadonlyMap<string, readonly BookmarkPlace[]>;
  readonly #known = new Map<string, Bookmark>();

  constructor(places: readonly BookmarkPlace[]) {
    this.#places = Map.groupBy(places, ({ name }) => name.toLowerCase());
  }

  /** Returns all bookmarks with this name. */
  of(name: string): readonly BookmarkPlace[] {
    return this.#places.get(name.toLowerCase()) ?? [];
  }

  /**
   * Returns the bookmark with this name, or null. Call this only after the content of all bookmarks is
   * known.
   */
  named(name: string): Bookmark | null {
    const key = name.toLowerCase();
    const places = this.of(name);
    if (places.length === 0) return null;
    const bookmark = this.#known.get(key) ?? bookmarkAt(places);
    this.#known.set(key, bookmark);
    return bookmark;
  }
}

function bookmarkAt(places: readonly BookmarkPlace[]): Bookmark {
  return {
    name: places[0]?.name ?? "",
    moved: places.some(({ moved }) => moved),
    notesMoved: places.some(({ notesMoved }) => notesMoved),
    holdsData: places.some(({ holdsData }) => holdsData),
    frames: new Set(places.map(({ frame }) => frame)),
  };
}
