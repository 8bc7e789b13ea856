import type { TagNode } from "../nodes/nodes.ts";

/** A block with the tags in it that print a value. */
export interface PrintingBlock {
  readonly open: TagNode;
  readonly close: TagNode;
  /** The tags that print a value, in document order; at least one. */
  readonly values: readonly TagNode[];
}

/**
 * Returns the blocks that print something, inner ones first. The blocks must be valid. `tags`: all tags of a part, in
 * document order.
 */
export function printingBlocks(tags: readonly TagNode[]): PrintingBlock[] {
  const found: PrintingBlock[] = [];
  const begun: { readonly open: TagNode; readonly values: TagNode[] }[] = [];
  for (const tag of tags) {
    const { kind } = tag.directive;
    if (kind === "value") for (const { values } of begun) values.push(tag);
    else if (BEGINS.test(kind)) begun.push({ open: tag, values: [] });
    else if (kind.startsWith("end")) {
      const block = begun.pop();
      if (block !== undefined && block.values.length > 0) found.push({ ...block, close: tag });
    }
  }
  return found;
}

const BEGINS = /^(?:for|if|section|tablerow|tablecolumn)$/;
