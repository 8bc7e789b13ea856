import type { Diagnostic } from "../../errors.ts";
import { tagProblem, tagText } from "./diagnostics.ts";
import type { TagNode } from "./nodes.ts";

/** A block: the tag that opens it, the tags that begin its further branches, the tag that ends it. */
export interface Block {
  readonly kind: "for" | "tablerow" | "if";
  readonly open: TagNode;
  readonly branches: readonly TagNode[];
  readonly close: TagNode;
}

/** A block's tags in document order. */
export function blockTags(block: Block): TagNode[] {
  return [block.open, ...block.branches, block.close];
}

const OPENED_BY = { endfor: "for", endtablerow: "tablerow", endif: "if" } as const;

/** Deeper nesting of blocks is refused: a rendering is one call in another for each of them. */
const MAX_DEPTH = 256;

interface OpenBlock {
  readonly kind: Block["kind"];
  readonly open: TagNode;
  readonly branches: TagNode[];
}

/**
 * Pairs the block tags of one part. Every tag that has no counterpart, or whose block crosses
 * another one, is a problem; all of them are found. Blocks come in the order of their ends.
 */
export function pairBlocks(tags: readonly TagNode[]): {
  readonly blocks: readonly Block[];
  readonly problems: readonly Diagnostic[];
} {
  const blocks: Block[] = [];
  const problems: Diagnostic[] = [];
  const open: OpenBlock[] = [];
  for (const tag of tags) {
    const { kind } = tag.directive;
    switch (kind) {
      case "for":
      case "tablerow":
      case "if":
        open.push({ kind, open: tag, branches: [] });
        if (open.length === MAX_DEPTH + 1) problems.push(tooDeep(tag));
        break;
      case "elseif":
      case "else":
        addBranch(open.at(-1), tag, problems);
        break;
      case "endfor":
      case "endtablerow":
      case "endif": {
        const block = closeBlock(open, tag, OPENED_BY[kind], problems);
        if (block !== null) blocks.push({ ...block, close: tag });
      }
    }
  }
  for (const { kind, open: tag } of open) {
    const end = `{{end${kind}}}`;
    problems.push(
      tagProblem(
        tag,
        "unclosed_block",
        `The block ${tagText(tag)} is not closed.`,
        `Add ${end} where it ends.`,
      ),
    );
  }
  return { blocks, problems };
}

function tooDeep(tag: TagNode): Diagnostic {
  return tagProblem(
    tag,
    "nested_too_deep",
    `${tagText(tag)} stands in more than ${MAX_DEPTH} blocks, one inside the other.`,
    "Close the blocks that should not hold it.",
  );
}

function addBranch(block: OpenBlock | undefined, tag: TagNode, problems: Diagnostic[]): void {
  if (block?.kind !== "if") {
    const message =
      block === undefined
        ? `${tagText(tag)} stands outside of an {{if}}.`
        : `${tagText(tag)} stands in ${tagText(block.open)}, which is not closed before it.`;
    problems.push(
      tagProblem(tag, "unopened_block", message, "Put it between {{if condition}} and {{endif}}."),
    );
    return;
  }
  if (block.branches.at(-1)?.directive.kind === "else") {
    problems.push(
      tagProblem(
        tag,
        "branch_after_else",
        `${tagText(tag)} stands after {{else}}, so it would never be shown.`,
        "Make {{else}} the last branch of its {{if}}.",
      ),
    );
  }
  block.branches.push(tag);
}

/** Takes the block that a tag closes off the stack. Blocks left open inside it are crossed by it. */
function closeBlock(
  open: OpenBlock[],
  tag: TagNode,
  kind: Block["kind"],
  problems: Diagnostic[],
): OpenBlock | null {
  const index = open.findLastIndex((block) => block.kind === kind);
  if (index === -1) {
    problems.push(
      tagProblem(
        tag,
        "unopened_block",
        `${tagText(tag)} closes a block that was not opened.`,
        `Add {{${kind} …}} before it, or remove it.`,
      ),
    );
    return null;
  }
  const [block, ...crossed] = open.splice(index);
  for (const inner of crossed) {
    problems.push(
      tagProblem(
        tag,
        "crossed_block",
        `${tagText(tag)} stands before the block ${tagText(inner.open)} is closed.`,
        `Close ${tagText(inner.open)} first, with {{end${inner.kind}}}.`,
      ),
    );
  }
  return block ?? null;
}
