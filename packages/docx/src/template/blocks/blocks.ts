import type { TagNode } from "../nodes/nodes.ts";

/** A block: the tag that opens it, the tags of its further branches, and the tag that ends it. */
export interface Block {
  readonly kind: "for" | "tablerow" | "tablecolumn" | "section" | "if";
  readonly open: TagNode;
  readonly branches: readonly TagNode[];
  readonly close: TagNode;
}

/** Blocks nested deeper than this are rejected, because rendering recurses for each level. */
export const MAX_DEPTH = 256;

/** Returns a block's tags in document order. */
export function blockTags(block: Block): TagNode[] {
  return [block.open, ...block.branches, block.close];
}

/** Whether a tag is in the text of a run, and not in an attribute, an equation, a field or a property. */
export function isInText(tag: TagNode): boolean {
  return tag.owner === null && tag.parent?.name === "w:t";
}
