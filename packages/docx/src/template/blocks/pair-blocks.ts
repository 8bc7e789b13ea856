import type { Diagnostic } from "@quire/contracts";
import type { TagNode } from "../nodes/nodes.ts";
import type { Block } from "./blocks.ts";
import { type EscapedBlockTag, unpaired } from "./escaped-blocks.ts";
import { Pairing, type Reading } from "./pairing.ts";

/** The blocks of one part. */
export interface PairedBlocks {
  /** The blocks whose tags certainly belong together, in the order of their ends. */
  readonly blocks: readonly Block[];
  /** Blocks whose tags were probably meant to belong together. Each has a problem. */
  readonly guessed: readonly Block[];
  readonly problems: readonly Diagnostic[];
  /** The opening tags of blocks without an end. */
  readonly missing: ReadonlySet<TagNode>;
  /** For each kind, the number of ends that close nothing. */
  readonly excess: ReadonlyMap<string, number>;
}

/**
 * Pairs the block tags of one part. Every tag without a counterpart, and every tag whose block crosses another,
 * gives exactly one problem. A mistake can have several interpretations. The one with the fewest messages is used.
 * `escaped`: block tags that are text.
 */
export function pairBlocks(
  tags: readonly TagNode[],
  escaped: readonly EscapedBlockTag[] = [],
): PairedBlocks {
  const behindBackslash = unpaired(escaped);
  const read = (reading: Reading): Pairing => {
    const pairing = new Pairing(reading, behindBackslash);
    for (const tag of tags) pairing.tag(tag);
    pairing.finish();
    return pairing;
  };
  let base = read({ loose: true, ordinary: false, before: null });
  if (base.problems.length === 0) return base;
  if (tags.some(({ directive }) => directive.guess?.loose)) {
    base = better(base, read({ loose: false, ordinary: false, before: null }));
  }
  const { loose } = base.reading;
  return [false, true]
    .map((ordinary) => read({ loose, ordinary, before: base }))
    .reduce(better, base);
}

/**
 * Prefers the pairing with fewer problems. If the numbers are equal, prefers problems that are reported where the
 * mistake is.
 */
function better(first: Pairing, second: Pairing): Pairing {
  const fewer = first.problems.length - second.problems.length;
  return fewer > 0 || (fewer === 0 && second.missing.size < first.missing.size) ? second : first;
}
