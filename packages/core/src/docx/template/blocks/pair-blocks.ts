import type { Diagnostic } from "../../../errors.ts";
import type { TagNode } from "../nodes.ts";
import type { Block } from "./blocks.ts";
import { type EscapedBlockTag, unpaired } from "./escaped-blocks.ts";
import { Pairing, type Reading } from "./pairing.ts";

/** The blocks of one part. */
export interface PairedBlocks {
  /** The blocks whose tags surely belong together, in the order of their ends. */
  readonly blocks: readonly Block[];
  /** Blocks whose tags were only meant to belong together: there is a problem for each. */
  readonly guessed: readonly Block[];
  readonly problems: readonly Diagnostic[];
  /** The tags that open blocks which nothing closes. */
  readonly missing: ReadonlySet<TagNode>;
  /** How many ends of each kind close nothing. */
  readonly excess: ReadonlyMap<string, number>;
}

/**
 * Pairs the block tags of one part. Every tag that has no counterpart, or whose block crosses
 * another one, is a problem; all of them are found, each once. A mistake can be read in several ways:
 * the one that needs the fewest messages is told. `escaped` are tags of blocks that are text.
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

/** Fewer problems are better; of as many, those that are told where the mistake is. */
function better(first: Pairing, second: Pairing): Pairing {
  const fewer = first.problems.length - second.problems.length;
  return fewer > 0 || (fewer === 0 && second.missing.size < first.missing.size) ? second : first;
}
