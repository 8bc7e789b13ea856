import { type Wording, withTags } from "../../language/delimiters/wording.ts";
import type { TagNode } from "../nodes/nodes.ts";
import { endOf } from "./block-problems.ts";

/**
 * Returns the tags that belong before and after a row that a block is to hide: its own, and the tags of the blocks
 * around it that begin in the row. `around`: the tags of the blocks around the row, outermost first.
 */
export function tagsAroundRow(
  block: TagNode,
  around: readonly TagNode[],
): readonly [before: Wording, after: Wording] {
  const { part, table, row } = block.place;
  const own = around.filter(({ place }) => {
    return place.part === part && place.table === table && place.row === row;
  });
  const all = [...own, block];
  const after = all.map(({ directive }) => endOf(directive));
  return [
    all.map(({ text }) => text).join(""),
    after.reduce((inner, outer) => withTags`${outer}${inner}`),
  ];
}

/** Returns the hint for a row with one cell, which a block in this cell does not hide. */
export function ownRows(block: TagNode, around: readonly TagNode[]): Wording {
  const [before, after] = tagsAroundRow(block, around);
  return withTags`Put ${before} into a separate row above this one, and ${after} into a separate row below it.`;
}
