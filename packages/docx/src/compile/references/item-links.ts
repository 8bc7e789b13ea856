import type { Diagnostic } from "@quire/contracts";
import type { Delimiters } from "../../language/delimiters/delimiters.ts";
import type { ItemLink, ItemTarget, Reference, UnlikeSections } from "../../program/references.ts";
import type { ElementNode, TextNode } from "../../template/nodes/nodes.ts";
import type { BookmarkPlaces } from "./bookmark-places.ts";
import { type Block, ItemBlocks, isLoop } from "./item-blocks.ts";
import {
  type Apart,
  apart,
  type ItemPair,
  itemPairs,
  type Unlike,
  unlikeBlocksOf,
} from "./item-pairs.ts";
import type { Use } from "./part-references.ts";
import { unlikeBlocks } from "./reference-words.ts";

/** Where a reference in a loop leads if its bookmark is in another loop. */
interface Resolved {
  /** Null if the reference leads to the first repetition of the bookmark. */
  readonly link: ItemLink | null;
  /** The blocks with the same items. */
  readonly pairs: readonly ItemPair[];
  /** Blocks that repeat the reference and the bookmark independently of each other; otherwise null. */
  readonly unlike: Unlike | null;
}

/** The result for a reference that does not lead to the bookmark of an item. */
export const NO_LINKS: Pick<Reference, "links" | "unlike"> = { links: new Map(), unlike: null };

const FIRST: Resolved = { link: null, pairs: [], unlike: null };

/**
 * Finds references in a loop whose bookmarks are in another loop over the same list, such as the entries of a list of
 * contents. They lead to the bookmark of the same item.
 */
export class ItemLinks {
  /**
   * The links of each reference, by the names of its bookmarks. The key is the text of its instruction, or the element
   * around its text.
   */
  readonly links = new Map<ElementNode | TextNode, ReadonlyMap<string, ItemLink>>();
  /** The links that each bookmark belongs to, by its name in lowercase. */
  readonly targets = new Map<string, ItemTarget[]>();
  readonly #bookmarks: BookmarkPlaces;
  readonly #blocks = new ItemBlocks();
  /** The innermost blocks of each bookmark, by its name in lowercase. A file may contain a name several times. */
  readonly #around = new Map<string, readonly (Block | null)[]>();
  /** The results by the innermost block of the reference and the name of the bookmark in lowercase. */
  readonly #resolved = new Map<Block, Map<string, Resolved>>();

  constructor(bookmarks: BookmarkPlaces) {
    this.#bookmarks = bookmarks;
  }

  /** Finds the bookmarks of a reference in other loops over the same lists, and reports those over other lists. */
  link(
    use: Use,
    names: readonly string[],
    delimiters: Delimiters,
  ): Pick<Reference, "links" | "unlike"> & { readonly warnings: readonly Diagnostic[] } {
    const links = new Map<string, ItemLink>();
    const warnings: Diagnostic[] = [];
    let sections: UnlikeSections | null = null;
    for (const name of names) {
      const { link, unlike } = this.resolve(name, use);
      if (link !== null) links.set(name, link);
      if (unlike === null || use.note.isCopy) continue;
      const { ofReference, ofBookmark } = unlike;
      const problem = unlikeBlocks(use, name, unlike, delimiters);
      if (ofReference.some(isLoop) && ofBookmark.some(isLoop)) warnings.push(problem);
      else sections = { around: new Set(ofReference.map(({ path }) => path)), problem };
    }
    const texts = (use.field?.texts ?? []).map(({ node }) => node);
    const nodes = use.shell === null ? texts : [use.shell];
    for (const node of links.size === 0 ? [] : nodes) this.links.set(node, links);
    return { links, unlike: sections, warnings };
  }

  /** Returns where a reference to a bookmark leads that does not repeat together with it. */
  resolve(name: string, { note: { frame } }: Use): Resolved {
    const block = this.#blocks.of(frame);
    if (block === null) return FIRST;
    const resolved = this.#resolved.get(block) ?? new Map<string, Resolved>();
    this.#resolved.set(block, resolved);
    const key = name.toLowerCase();
    const found = resolved.get(key) ?? this.#resolve(key, block);
    resolved.set(key, found);
    return found;
  }

  #resolve(name: string, reference: Block): Resolved {
    const around = this.#blocksAround(name);
    const all = around.map((bookmark) => apart(reference, bookmark));
    const [only] = all;
    if (only === undefined) return FIRST;
    if (all.length > 1)
      return { ...FIRST, unlike: firstOf(all, (each) => unlikeBlocksOf(each, [])) };
    const pairs = itemPairs(only);
    const link = pairs.length === 0 ? null : this.#link(name, only, pairs);
    return { link, pairs, unlike: unlikeBlocksOf(only, pairs) };
  }

  #blocksAround(name: string): readonly (Block | null)[] {
    const known = this.#around.get(name);
    if (known !== undefined) return known;
    const places = this.#bookmarks.of(name).filter(({ isCopy }) => !isCopy);
    const blocks = [...new Set(places.map(({ frame }) => this.#blocks.of(frame)))];
    this.#around.set(name, blocks);
    return blocks;
  }

  #link(name: string, { shared, ofBookmark }: Apart, pairs: readonly ItemPair[]): ItemLink {
    const compared = pairs.map(({ ofBookmark: block, by }) => `${ofBookmark.indexOf(block)} ${by}`);
    const id = [shared, ...compared].join(", ");
    const target: ItemTarget = {
      id,
      blocks: pairs.map(({ ofBookmark: { path }, by }) => ({ path, by })),
      inside: new Set(ofBookmark.map(({ path }) => path)),
    };
    const targets = this.targets.get(name) ?? [];
    this.targets.set(name, targets);
    if (targets.every((each) => each.id !== id)) targets.push(target);
    const own = pairs.map(({ ofReference: { path }, by }) => ({ path, by }));
    return { id, blocks: own, inside: target.inside };
  }
}

function firstOf<T, R>(all: readonly T[], read: (each: T) => R | null): R | null {
  for (const each of all) {
    const result = read(each);
    if (result !== null) return result;
  }
  return null;
}
