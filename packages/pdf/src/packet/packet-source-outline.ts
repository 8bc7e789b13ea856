import { PDFDict, type PDFObject, PDFRef } from "../read/pdf-lib.ts";
import { key } from "../read/pdf-objects.ts";
import { damaged } from "../read/pdf-problem.ts";
import type { ObjectCopier } from "./packet-copy.ts";
import type { PacketDraft } from "./packet-draft.ts";
import type { LeftOutKind } from "./packet-left-out.ts";
import { targetText } from "./packet-links.ts";
import type { BookmarkRange } from "./packet-outline.ts";

const KEPT = ["C", "F"].map(key);
const DEEPEST = 100;

/** Copies the bookmarks of a source below its bookmark in the packet. Returns null if the source has none. */
export function copyOutline(
  parent: number,
  copier: ObjectCopier,
  draft: PacketDraft,
  leaveOut: (kind: LeftOutKind) => void,
): BookmarkRange | null {
  const outlines = copier.source.catalog.lookup(key("Outlines"));
  if (!(outlines instanceof PDFDict)) return null;
  return new OutlineCopy(copier, draft, leaveOut).children(outlines, parent, 0);
}

class OutlineCopy {
  readonly #copier: ObjectCopier;
  readonly #draft: PacketDraft;
  readonly #leaveOut: (kind: LeftOutKind) => void;
  readonly #seen = new Set<PDFObject>();

  constructor(copier: ObjectCopier, draft: PacketDraft, leaveOut: (kind: LeftOutKind) => void) {
    this.#copier = copier;
    this.#draft = draft;
    this.#leaveOut = leaveOut;
  }

  children(node: PDFDict, parent: number, depth: number): BookmarkRange | null {
    if (depth > DEEPEST) throw damaged();
    const items = this.#siblings(node.lookup(key("First")));
    const numbers = items.map(() => this.#draft.reserve());
    for (const [at, item] of items.entries()) {
      const number = numbers[at] ?? 0;
      const below = this.children(item, number, depth + 1);
      const links = [
        link("Parent", parent),
        link("Prev", numbers[at - 1]),
        link("Next", numbers[at + 1]),
        link("First", below?.first),
        link("Last", below?.last),
        below === null ? "" : `/Count ${-below.count}`,
      ].join("");
      this.#draft.put(number, `<<${this.#ownText(item)}${links}>>`, null);
    }
    const [first, last] = [numbers[0], numbers.at(-1)];
    if (first === undefined || last === undefined) return null;
    return { first, last, count: numbers.length };
  }

  /** Returns the bookmarks of one level, each once, even if their links form a cycle. */
  #siblings(first: PDFObject | undefined): PDFDict[] {
    const items: PDFDict[] = [];
    let item = first;
    while (item instanceof PDFDict && !this.#seen.has(item)) {
      this.#seen.add(item);
      items.push(item);
      item = item.lookup(key("Next"));
    }
    return items;
  }

  #ownText(item: PDFDict): string {
    const title = item.get(key("Title"));
    let text = `/Title${title === undefined ? "()" : bracketed(this.#copier.text(title))}`;
    for (const name of KEPT) {
      const value = item.get(name);
      if (value === undefined || value instanceof PDFRef) continue;
      text += `${name.asString()} ${this.#copier.text(value)}`;
    }
    return text + targetText(item, this.#copier, this.#leaveOut);
  }
}

function link(key: string, number: number | undefined): string {
  return number === undefined ? "" : `/${key} ${number} 0 R`;
}

/** Returns the written title, or an empty string object if the title is invalid. */
function bracketed(text: string): string {
  return /^[(<](?!<)/.test(text) ? text : "()";
}
