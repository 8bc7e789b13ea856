import type { Diagnostic } from "@quire/contracts";
import type { Wording } from "../../language/delimiters/wording.ts";
import { closest, type TagNode } from "../nodes/nodes.ts";
import { branchInBox, crossesBox, unopened } from "./block-problems.ts";
import { MAX_DEPTH } from "./blocks.ts";
import { endedBy, lastOf, type OpenBlock, type Story } from "./open-blocks.ts";

/**
 * An end or a branch without a block in its story. `around`: the block around the text box to which the tag may belong;
 * null if there is none.
 */
export interface Orphan {
  readonly tag: TagNode;
  readonly order: number;
  readonly story: Story;
  readonly around: OpenBlock | null;
  readonly hint: Wording;
}

/**
 * Reports ends and branches without a block, unless the problem of a block that crosses the border of a text box covers
 * them. Counts the ends that close nothing in `excess`. `left`: the blocks without an end.
 */
export function checkOrphans(
  orphans: readonly Orphan[],
  left: readonly OpenBlock[],
  excess: Map<string, number>,
): Diagnostic[] {
  const problems: Diagnostic[] = [];
  for (const orphan of orphans) {
    const { tag, around, hint } = orphan;
    const { kind, guess } = tag.directive;
    if (kind === "else" || kind === "elseif") {
      const reported = around === null || (around.boxed && !around.closed);
      if (!reported) problems.push(branchInBox(tag, around.open));
      continue;
    }
    if (around !== null && !around.closed) continue;
    const begun = begunInBox(orphan, left);
    if (begun !== null) {
      problems.push(crossesBox(begun, "inside"));
      continue;
    }
    const key = keyOf(tag);
    excess.set(key, (excess.get(key) ?? 0) + 1);
    if (guess === undefined) problems.push(unopened(tag, hint));
  }
  return problems;
}

/**
 * Returns the tag that opens the block in a text box for which an end outside the box was meant, or null.
 */
function begunInBox({ tag, story, order }: Orphan, left: readonly OpenBlock[]): TagNode | null {
  const at = lastOf(
    left,
    (block) =>
      !block.reported &&
      block.story.outer === story &&
      block.order < order &&
      endedBy(tag, [block]) === 0,
  );
  const begun = left[at]?.open;
  if (begun === undefined) return null;
  for (const block of left.slice(Math.max(at - MAX_DEPTH, 0), at + 1)) {
    if (isCopy(block.open, begun)) block.reported = true;
  }
  return begun;
}

/**
 * Whether two tags are the same tag or copies of one. Word keeps two copies of a text box, for older and newer
 * programs.
 */
function isCopy(tag: TagNode, other: TagNode): boolean {
  const both = closest(tag, "mc:AlternateContent");
  return (
    tag === other ||
    (tag.text === other.text && both !== null && both === closest(other, "mc:AlternateContent"))
  );
}

/** Returns the innermost block of a kind that is open in a story or around its text box, or null. */
export function openIn(story: Story | null, is: (block: OpenBlock) => boolean): OpenBlock | null {
  for (let at = story; at !== null; at = at.outer) {
    const block = at.open[lastOf(at.open, is)];
    if (block !== undefined) return block;
  }
  return null;
}

/** Returns the key of an end. Ends with the same meaning have the same key. */
export function keyOf({ directive }: TagNode): string {
  return directive.kind === "endsection" ? `/${directive.name ?? ""}` : directive.kind;
}
