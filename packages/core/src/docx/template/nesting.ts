import type { Diagnostic } from "../../errors.ts";
import { type Block, blockTags } from "./blocks.ts";
import { tagProblem, tagText } from "./diagnostics.ts";
import { descendants, type ElementNode, type TagNode } from "./nodes.ts";

/** A block whose end has not been reached, and how many fields of Word were open where it began. */
interface OpenBlock {
  readonly block: Block;
  readonly fields: number;
}

/**
 * Checks blocks where they take effect: moved to the edges of rows or paragraphs, they may cross each
 * other although their tags did not, and what one leaves out may be one half of a field.
 */
export function checkNesting(root: ElementNode, blocks: readonly Block[]): Diagnostic[] {
  const blockOf = new Map<TagNode, Block>();
  for (const block of blocks) for (const tag of blockTags(block)) blockOf.set(tag, block);
  const open: OpenBlock[] = [];
  let fields = 0;
  for (const node of descendants(root)) {
    if (node.kind === "element") fields += fieldStep(node);
    if (node.kind !== "marker") continue;
    const block = blockOf.get(node.tag);
    if (block === undefined) throw new Error("A marker belongs to no block.");
    if (node.tag === block.open) {
      open.push({ block, fields });
      continue;
    }
    const innermost = open.at(-1);
    // What follows a crossing is not worth telling: every block around it seems to cross too.
    if (innermost?.block !== block) return [crossing(node.tag, innermost?.block ?? block)];
    if (innermost.fields !== fields) return [cutField(node.tag)];
    if (node.tag === block.close) open.pop();
  }
  return [];
}

/** How an element changes the number of complex fields (PAGE, REF, TOC …) that are open. */
function fieldStep({ name, attributes }: ElementNode): number {
  if (name !== "w:fldChar") return 0;
  if (attributes.includes('w:fldCharType="begin"')) return 1;
  return attributes.includes('w:fldCharType="end"') ? -1 : 0;
}

function crossing(tag: TagNode, block: Block): Diagnostic {
  return tagProblem(
    tag,
    "crossed_block",
    `${tagText(tag)} takes effect for whole rows or paragraphs, and so in the middle of ${tagText(block.open)}.`,
    "Put the tags of the outer block into rows or paragraphs of their own.",
  );
}

function cutField(tag: TagNode): Diagnostic {
  return tagProblem(
    tag,
    "block_crosses_element",
    `${tagText(tag)} stands inside a field of Word and the beginning of its block outside of it, or the other way round.`,
    "Begin and end the block both inside or both outside of the field.",
  );
}
