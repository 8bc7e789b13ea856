import type { ItemBlock } from "../../program/references.ts";
import { type Block, chainOf, haveSameList, haveSameSource } from "./item-blocks.ts";

/** A block around a bookmark, and the block around a reference that repeats the same items. */
export interface ItemPair {
  readonly ofBookmark: Block;
  readonly ofReference: Block;
  readonly by: ItemBlock["by"];
}

/** Blocks that repeat a reference, and blocks over other lists that repeat its bookmark. The lists are not empty. */
export interface Unlike {
  readonly ofReference: readonly Block[];
  readonly ofBookmark: readonly Block[];
}

/** The blocks around a reference and around its bookmark, without those that contain both, outermost first. */
export interface Apart {
  /** How many blocks contain both. */
  readonly shared: number;
  readonly ofReference: readonly Block[];
  readonly ofBookmark: readonly Block[];
}

/**
 * Returns the blocks that contain only one of the two. A block around both is also one of the bookmark if a block within
 * it repeats the same list around the reference: the inner one says which item is meant.
 */
export function apart(reference: Block | null, bookmark: Block | null): Apart {
  const [ofReference, ofBookmark] = [chainOf(reference), chainOf(bookmark)];
  let shared = 0;
  while (shared < ofBookmark.length && ofReference[shared] === ofBookmark[shared]) shared += 1;
  const inner = ofReference.slice(shared);
  const again = ofBookmark
    .slice(0, shared)
    .findIndex((around) => inner.some((each) => isSameLoop(around, each)));
  if (again !== -1) shared = again;
  return {
    shared,
    ofReference: ofReference.slice(shared),
    ofBookmark: ofBookmark.slice(shared),
  };
}

function isSameLoop(one: Block, other: Block): boolean {
  return !one.isCondition && haveSameList(one, other, (inner, otherInner) => inner === otherInner);
}

/**
 * Finds the blocks around a reference that repeat the same items as the blocks around its bookmark, preferring inner
 * blocks. Returns them in the order of the blocks around the bookmark, outermost first.
 */
export function itemPairs(blocks: Apart): ItemPair[] {
  return new PairFinder(blocks).find();
}

/** Returns blocks that repeat the reference and the bookmark, each over other items; null without such blocks. */
export function unlikeBlocksOf(
  { ofReference, ofBookmark }: Apart,
  pairs: readonly ItemPair[],
): Unlike | null {
  const paired = new Set(pairs.flatMap((pair) => [pair.ofReference, pair.ofBookmark]));
  const isUnlike = (block: Block): boolean => !block.isCondition && !paired.has(block);
  const found = {
    ofReference: ofReference.filter(isUnlike),
    ofBookmark: ofBookmark.filter(isUnlike),
  };
  return found.ofReference.length > 0 && found.ofBookmark.length > 0 ? found : null;
}

type Pairs = ReadonlyMap<Block, Block>;

class PairFinder {
  readonly #blocks: Apart;
  /** The known results of {@link #needed}. */
  readonly #known = new Map<Block, Map<Block, Pairs | null>>();
  /** The chosen blocks around the reference, by those around the bookmark. */
  readonly #chosen = new Map<Block, Block>();

  constructor(blocks: Apart) {
    this.#blocks = blocks;
  }

  find(): ItemPair[] {
    const { ofBookmark } = this.#blocks;
    for (const one of ofBookmark.toReversed()) this.#choose(one);
    return ofBookmark.flatMap((one): ItemPair[] => {
      const same = this.#chosen.get(one);
      if (same !== undefined) return [{ ofBookmark: one, ofReference: same, by: "index" }];
      const used = new Set(this.#chosen.values());
      const like = this.#candidates(one).find(
        (each) => !used.has(each) && haveSameSource(one, each),
      );
      if (like === undefined) return [];
      this.#chosen.set(one, like);
      return [{ ofBookmark: one, ofReference: like, by: "object" }];
    });
  }

  /** Chooses the innermost block around the reference that repeats the same list. */
  #choose(one: Block): void {
    if (this.#chosen.has(one)) return;
    for (const other of this.#candidates(one)) {
      const needed = this.#needed(one, other);
      if (needed === null || !this.#fits(needed)) continue;
      for (const [each, same] of needed) this.#chosen.set(each, same);
      return;
    }
  }

  /** Returns the blocks around the reference, innermost first, without those that are others around the bookmark. */
  #candidates(one: Block): Block[] {
    const { ofBookmark, ofReference } = this.#blocks;
    return ofReference.filter((other) => other === one || !ofBookmark.includes(other)).toReversed();
  }

  #fits(pairs: Pairs): boolean {
    const used = new Map([...this.#chosen].map(([one, other]) => [other, one]));
    return [...pairs].every(
      ([one, other]) =>
        (this.#chosen.get(one) ?? other) === other && (used.get(other) ?? one) === one,
    );
  }

  /**
   * Returns the pairs of blocks that must have the same items so that two blocks have the same list, including the two
   * blocks. Returns null for blocks with different lists.
   */
  #needed(one: Block, other: Block): Pairs | null {
    const known = this.#known.get(one) ?? new Map<Block, Pairs | null>();
    this.#known.set(one, known);
    const found = known.get(other);
    if (found !== undefined) return found;
    const pairs = new Map([[one, other]]);
    const isSame = haveSameList(one, other, (inner, otherInner) => {
      // A block around both has one item at a time.
      if (inner === otherInner) return true;
      if (!this.#isApart(inner, otherInner)) return false;
      const needed = this.#needed(inner, otherInner);
      for (const [each, same] of needed ?? []) {
        if ((pairs.get(each) ?? same) !== same) return false;
        pairs.set(each, same);
      }
      return needed !== null;
    });
    const result = isSame ? pairs : null;
    known.set(other, result);
    return result;
  }

  #isApart(one: Block, other: Block): boolean {
    const { ofBookmark, ofReference } = this.#blocks;
    return ofBookmark.includes(one) && ofReference.includes(other);
  }
}
