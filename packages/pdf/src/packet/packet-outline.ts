import type { PacketFile } from "./packet-file.ts";
import { textString } from "./packet-text.ts";

/** A bookmark to write. */
export interface Bookmark {
  readonly number: number;
  readonly title: string;
  /** The object number of its target page. */
  readonly page: number;
  readonly group: string | undefined;
  /** The bookmarks below it, which are written separately. */
  readonly below: BookmarkRange | null;
}

/** A range of adjacent bookmarks. */
export interface BookmarkRange {
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

/** A bookmark that cannot be written until its successor is known. */
interface Waiting {
  readonly number: number;
  readonly text: string;
}

/**
 * Bookmarks with the same parent. Each one is written when its successor arrives, so only the last one is in memory.
 */
class Siblings {
  readonly #file: PacketFile;
  readonly #parent: number;
  #first = 0;
  #count = 0;
  #last: Waiting | Group | null = null;

  constructor(file: PacketFile, parent: number) {
    this.#file = file;
    this.#parent = parent;
  }

  async add(number: number, text: string): Promise<void> {
    await this.#follow(number, { number, text: `${text}${this.#links()}` });
  }

  /** Adds a group, which is written when all of its bookmarks are known. */
  async addGroup(group: Group): Promise<void> {
    group.links = this.#links();
    await this.#follow(group.number, group);
  }

  async finish(): Promise<BookmarkRange> {
    const last = this.#last?.number ?? 0;
    await this.#write("");
    return { first: this.#first, last, count: this.#count };
  }

  #links(): string {
    const previous = this.#last === null ? "" : `/Prev ${this.#last.number} 0 R`;
    return `/Parent ${this.#parent} 0 R${previous}`;
  }

  async #follow(number: number, next: Waiting | Group): Promise<void> {
    if (this.#last === null) this.#first = number;
    else await this.#write(`/Next ${number} 0 R`);
    this.#last = next;
    this.#count += 1;
  }

  async #write(next: string): Promise<void> {
    const last = this.#last;
    if (last instanceof Group) last.links += next;
    else if (last !== null) {
      await this.#file.put({ number: last.number, text: `<<${last.text}${next}>>`, stream: null });
    }
  }
}

class Group {
  readonly number: number;
  readonly text: string;
  readonly children: Siblings;
  links = "";

  constructor(file: PacketFile, text: string) {
    this.number = file.reserve();
    this.text = text;
    this.children = new Siblings(file, this.number);
  }
}

/** The bookmarks of a packet. */
export class Outline {
  readonly #file: PacketFile;
  readonly #number: number;
  readonly #top: Siblings;
  readonly #groups = new Map<string, Group>();

  constructor(file: PacketFile) {
    this.#file = file;
    this.#number = file.reserve();
    this.#top = new Siblings(file, this.#number);
  }

  async add(bookmark: Bookmark): Promise<void> {
    const { number, title, page, group, below } = bookmark;
    const siblings = group === undefined ? this.#top : await this.#groupOf(group, page);
    await siblings.add(number, titleText(title, page) + rangeText(below));
  }

  /** Writes the remaining bookmarks. Returns the object number of the root. */
  async finish(): Promise<number> {
    const top = await this.#top.finish();
    for (const { number, text, links, children } of this.#groups.values()) {
      const range = await children.finish();
      await this.#put(number, `${text}${rangeText(range)}${links}`);
    }
    const { first, last, count } = top;
    await this.#put(
      this.#number,
      `/Type/Outlines/First ${first} 0 R/Last ${last} 0 R/Count ${count}`,
    );
    return this.#number;
  }

  async #groupOf(title: string, page: number): Promise<Siblings> {
    const known = this.#groups.get(title);
    if (known !== undefined) return known.children;
    const group = new Group(this.#file, titleText(title, page));
    this.#groups.set(title, group);
    await this.#top.addGroup(group);
    return group.children;
  }

  async #put(number: number, entries: string): Promise<void> {
    await this.#file.put({ number, text: `<<${entries}>>`, stream: null });
  }
}

function titleText(title: string, page: number): string {
  return `/Title${textString(title)}/Dest[${page} 0 R/Fit]`;
}

/** Returns the entries for a range of bookmarks. The negative count makes readers collapse the range at first. */
function rangeText(range: BookmarkRange | null): string {
  if (range === null) return "";
  return `/First ${range.first} 0 R/Last ${range.last} 0 R/Count ${-range.count}`;
}
