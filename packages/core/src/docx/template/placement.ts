import type { Diagnostic } from "../../errors.ts";
import { type Block, blockTags } from "./blocks.ts";
import { tagProblem, tagText } from "./diagnostics.ts";
import {
  ancestors,
  closest,
  contentOf,
  type ElementNode,
  isVisible,
  type TagNode,
} from "./nodes.ts";

/**
 * Where a block tag takes effect.
 * `inline`: at its place in the text, as a child of `host`.
 * `edge`: before or after a whole paragraph or table row.
 */
export type Placement =
  | { readonly kind: "inline"; readonly host: ElementNode }
  | {
      readonly kind: "edge";
      readonly anchor: ElementNode;
      readonly side: "before" | "after";
    };

/** What elements a block spans, seen from the lowest element that holds all of its tags. */
type Span =
  | { readonly kind: "inline"; readonly host: ElementNode }
  | { readonly kind: "paragraphs" }
  | { readonly kind: "rows"; readonly container: ElementNode }
  | { readonly kind: "one-row"; readonly row: ElementNode }
  | { readonly kind: "mixed" };

/** Elements that hold paragraphs, rows or cells: the first one around a tag says where it stands. */
const STRUCTURE = [
  "w:p",
  "w:tc",
  "w:tr",
  "w:tbl",
  "w:txbxContent",
  "w:body",
  "w:hdr",
  "w:ftr",
  "w:footnote",
  "w:endnote",
  "w:comment",
] as const;

/**
 * Decides for every tag of every block where it takes effect. The rule an author sees: a block within
 * one paragraph repeats text, a block over paragraphs repeats paragraphs, a block over rows (or a
 * `tablerow`) repeats rows; a paragraph or row that holds only block tags vanishes.
 */
export function placeBlocks(blocks: readonly Block[]): {
  readonly placements: ReadonlyMap<TagNode, Placement>;
  readonly problems: readonly Diagnostic[];
} {
  const problems: Diagnostic[] = [];
  const placements = new Map<TagNode, Placement>();
  const overParagraphs: Block[] = [];
  const overRows: { readonly block: Block; readonly rowOf: RowFinder }[] = [];
  for (const block of blocks) {
    const span = block.kind === "tablerow" ? rowSpan(block) : spanOf(block);
    switch (span.kind) {
      case "inline":
        for (const tag of blockTags(block)) placements.set(tag, span);
        break;
      case "paragraphs":
        overParagraphs.push(block);
        break;
      case "rows":
        overRows.push({ block, rowOf: (tag) => childToward(span.container, tag) });
        break;
      case "one-row":
        overRows.push({ block, rowOf: () => span.row });
        break;
      case "mixed":
        problems.push(crossing(block));
    }
  }
  const edges = new Set<TagNode>();
  for (const { block } of overRows) for (const tag of blockTags(block)) edges.add(tag);
  for (const block of overParagraphs) for (const tag of blockTags(block)) edges.add(tag);
  keepInTextWhereNeeded(overParagraphs, edges);
  for (const block of overParagraphs) placeOverParagraphs(block, edges, placements);
  for (const { block, rowOf } of overRows) {
    if (!placeOverRows(block, rowOf, edges, placements)) problems.push(crossing(block));
  }
  return { placements, problems };
}

type RowFinder = (tag: TagNode) => ElementNode;

function crossing(block: Block): Diagnostic {
  if (block.kind === "tablerow") {
    return tagProblem(
      block.open,
      "tablerow_outside_row",
      `The tags of ${tagText(block.open)} do not stand in rows of the same table.`,
      "Put {{tablerow …}} into the first cell of a row and {{endtablerow}} into its last cell.",
    );
  }
  return tagProblem(
    block.open,
    "block_crosses_cells",
    `The block ${tagText(block.open)} begins in one table cell, table or content control and ends in another.`,
    block.kind === "for"
      ? "To repeat a row, put {{tablerow …}} into its first and {{endtablerow}} into its last cell."
      : "Begin and end the block in the same cell, or put its tags at the beginning and at the end of whole rows.",
  );
}

/** A `tablerow` repeats the rows its two tags stand in, in whatever cells. */
function rowSpan(block: Block): Span {
  const first = closest(block.open, "w:tr");
  const last = closest(block.close, "w:tr");
  if (first === null || last === null || first.parent === null || first.parent !== last.parent) {
    return { kind: "mixed" };
  }
  return { kind: "rows", container: first.parent };
}

function spanOf(block: Block): Span {
  const tags = blockTags(block);
  const common = commonAncestor(tags);
  if (closest(common, ...STRUCTURE)?.name === "w:p") return { kind: "inline", host: common };
  const children = new Set(tags.map((tag) => childToward(common, tag)));
  const names = new Set([...children].map(({ name }) => name));
  if (names.size === 1 && names.has("w:tr")) return { kind: "rows", container: common };
  if (names.size === 1 && names.has("w:p")) return { kind: "paragraphs" };
  const row = closest(common, ...STRUCTURE);
  // Row-wide blocks begin in the first cell and end in the last: there is no branch in between.
  if (row?.name === "w:tr" && block.branches.length === 0) return { kind: "one-row", row };
  return { kind: "mixed" };
}

function commonAncestor(tags: readonly TagNode[]): ElementNode {
  const [first = [], ...others] = tags.map(ancestors);
  let depth = first.length;
  for (const chain of others) {
    let shared = 0;
    while (shared < depth && chain[shared] === first[shared]) shared += 1;
    depth = shared;
  }
  const common = first[depth - 1];
  if (common === undefined) throw new Error("The tags of a block stand in different trees.");
  return common;
}

/** The child of an ancestor on the way down to a tag. */
function childToward(ancestor: ElementNode, tag: TagNode): ElementNode {
  const chain = ancestors(tag);
  const child = chain[chain.indexOf(ancestor) + 1];
  if (child === undefined) throw new Error("The tag stands directly in the element.");
  return child;
}

/**
 * The side of a paragraph or row to which a tag can move without passing anything that shows: before
 * it when nothing stands before the tag, after it when nothing stands behind; null when the tag
 * stands in the middle. Tags that move out themselves do not count.
 */
function sideOf(
  tag: TagNode,
  anchor: ElementNode,
  edges: ReadonlySet<TagNode>,
): "before" | "after" | null {
  let before = false;
  let after = false;
  let passed = false;
  for (const node of contentOf(anchor)) {
    if (node === tag) passed = true;
    else if (isVisible(node) && !(node.kind === "tag" && movesOut(node, edges))) {
      if (passed) after = true;
      else before = true;
    }
  }
  if (!before) return "before";
  return after ? null : "after";
}

function movesOut(tag: TagNode, edges: ReadonlySet<TagNode>): boolean {
  return edges.has(tag) || tag.directive.kind === "note";
}

/**
 * A block over paragraphs that has a tag in the middle of one takes effect within the text, all its
 * tags: "Dear {{if x}}Sir" … "and Madam{{endif}}, we". As such a tag then stays where it is, it may
 * keep others from moving out, so this goes on until nothing changes.
 */
function keepInTextWhereNeeded(blocks: readonly Block[], edges: Set<TagNode>): void {
  for (let changed = true; changed; ) {
    changed = false;
    for (const block of blocks) {
      const tags = blockTags(block);
      if (!edges.has(block.open)) continue;
      if (tags.some((tag) => sideOf(tag, paragraphOf(tag), edges) === null)) {
        for (const tag of tags) edges.delete(tag);
        changed = true;
      }
    }
  }
}

function paragraphOf(tag: TagNode): ElementNode {
  const paragraph = closest(tag, "w:p");
  if (paragraph === null) throw new Error("The tag stands outside of a paragraph.");
  return paragraph;
}

function placeOverParagraphs(
  block: Block,
  edges: ReadonlySet<TagNode>,
  placements: Map<TagNode, Placement>,
): void {
  for (const tag of blockTags(block)) {
    const paragraph = paragraphOf(tag);
    const side = edges.has(tag) ? sideOf(tag, paragraph, edges) : null;
    placements.set(
      tag,
      side === null
        ? { kind: "inline", host: paragraph }
        : { kind: "edge", anchor: paragraph, side },
    );
  }
}

/** False when a `for` or `if` begins or ends in the middle of a row. */
function placeOverRows(
  block: Block,
  rowOf: RowFinder,
  edges: ReadonlySet<TagNode>,
  placements: Map<TagNode, Placement>,
): boolean {
  const oneRow = rowOf(block.open) === rowOf(block.close);
  for (const tag of blockTags(block)) {
    const anchor = rowOf(tag);
    const outward = tag === block.open ? "before" : "after";
    let side: "before" | "after" | null = outward;
    if (block.kind !== "tablerow") {
      side = sideOf(tag, anchor, edges);
      if (side === null) return false;
      if (oneRow && !reachesOutward(tag, anchor, edges, outward)) return false;
      if (oneRow) side = outward;
    }
    placements.set(tag, { kind: "edge", anchor, side });
  }
  return true;
}

/** Whether nothing stands between a tag and the beginning (or the end) of its row. */
function reachesOutward(
  tag: TagNode,
  anchor: ElementNode,
  edges: ReadonlySet<TagNode>,
  side: "before" | "after",
): boolean {
  let passed = false;
  for (const node of contentOf(anchor)) {
    if (node === tag) passed = true;
    else if (passed === (side === "after") && isVisible(node)) {
      if (!(node.kind === "tag" && movesOut(node, edges))) return false;
    }
  }
  return true;
}
