import type { Diagnostic } from "@quire/contracts";
import { withTags } from "../../language/delimiters/wording.ts";
import { tagProblem } from "../nodes/diagnostics.ts";
import {
  ancestors,
  closest,
  commonAncestor,
  contentOf,
  type ElementNode,
  endsSection,
  isVisible,
  staysEmpty,
  type TagNode,
  type TemplateNode,
} from "../nodes/nodes.ts";
import { type Block, blockTags } from "./blocks.ts";
import { hasTable } from "./table-between.ts";

/**
 * Where a block tag takes effect. `inline`: at its place in the text, within the lowest element that contains its whole
 * block. `through`: at its place in the text, directly below its paragraph, because the block continues in another
 * paragraph. `edge`: before or after a whole paragraph or table row. `removed`: nowhere, because its effect has already
 * been applied.
 */
export type Placement =
  | { readonly kind: "inline"; readonly block: Block }
  | { readonly kind: "through"; readonly paragraph: ElementNode }
  | {
      readonly kind: "edge";
      readonly anchor: ElementNode;
      readonly side: "before" | "after";
    }
  | { readonly kind: "removed" };

/** The elements that a block spans. They are directly below the lowest element that contains all of its tags. */
type Span =
  | { readonly kind: "inline" | "paragraphs" | "columns" | "mixed" }
  | { readonly kind: "rows"; readonly container: ElementNode }
  | { readonly kind: "one-row"; readonly row: ElementNode };

/** Elements that contain paragraphs, rows or cells. The first one around a tag decides its position. */
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
 * Decides where every tag of every block takes effect. For authors, the rule is: a block within one paragraph repeats
 * text, a block over paragraphs repeats paragraphs, and a block over rows (or a `tablerow`) repeats rows. A paragraph
 * or row with only block tags is removed.
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
    const span = spanOf(block);
    switch (span.kind) {
      case "columns":
        for (const tag of blockTags(block)) placements.set(tag, { kind: "removed" });
        break;
      case "inline":
        for (const tag of blockTags(block)) placements.set(tag, { kind: "inline", block });
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
  const neighbourhood = new Neighbourhood(edges);
  for (const block of overParagraphs) placeOverParagraphs(block, edges, neighbourhood, placements);
  for (const { block, rowOf } of overRows) {
    if (!placeOverRows(block, rowOf, neighbourhood, placements)) problems.push(crossing(block));
  }
  return { placements, problems };
}

type RowFinder = (tag: TagNode) => ElementNode;

function crossing(block: Block): Diagnostic {
  if (block.kind === "tablerow") {
    const isOutside = [block.open, block.close].every((tag) => closest(tag, "w:tbl") === null);
    return tagProblem(
      block.open,
      "tablerow_outside_row",
      `The tags of ${block.open.text} are not in rows of the same table.`,
      isOutside && hasTable(block)
        ? withTags`To repeat a row of the table between these tags, put ${block.open.text} at the beginning of the first cell of this row, and ${block.close.text} at the end of its last cell. To repeat the whole table, write ${block.open.text.replace("tablerow", "for")} … {{endfor}}.`
        : isOutside && !block.open.text.includes("::")
          ? withTags`Outside a table, and in a chart, write ${block.open.text.replace("tablerow", "for")} … {{endfor}}.`
          : withTags`Put {{tablerow …}} into the first cell of a row and {{endtablerow}} into its last cell.`,
    );
  }
  return tagProblem(
    block.open,
    "block_crosses_cells",
    `The block ${block.open.text} crosses the border of a table cell, table, text box or content control.`,
    block.kind === "for" || block.kind === "section"
      ? withTags`To repeat a row, put {{tablerow …}} into its first and {{endtablerow}} into its last cell. To repeat a column, write {{tablecolumn …}} and {{endtablecolumn}}.`
      : withTags`Begin and end the block in the same cell, or put its tags at the beginning and at the end of whole rows. To show columns only sometimes, write {{tablecolumn if …}} and {{endtablecolumn}}.`,
  );
}

/**
 * Returns the rows from the opening tag of a `tablerow`, or of a section over rows, to its closing tag, in any cells.
 */
function rowSpan(block: Block): Span {
  const first = closest(block.open, "w:tr");
  const last = closest(block.close, "w:tr");
  if (first === null || last === null || first.parent === null || first.parent !== last.parent) {
    return { kind: "mixed" };
  }
  return { kind: "rows", container: first.parent };
}

function spanOf(block: Block): Span {
  if (block.kind === "tablecolumn") return { kind: "columns" };
  if (block.kind === "tablerow") return rowSpan(block);
  const tags = blockTags(block);
  const common = commonAncestor(tags);
  if (closest(common, ...STRUCTURE)?.name === "w:p") return { kind: "inline" };
  if (block.kind === "section" && inRows(common)) return rowSpan(block);
  const children = new Set(tags.map((tag) => childToward(common, tag)));
  const names = new Set([...children].map(({ name }) => name));
  if (names.size === 1 && names.has("w:tr")) return { kind: "rows", container: common };
  // A text box has its own paragraphs: a tag in it is not in the paragraph that contains the text box.
  if (names.size === 1 && names.has("w:p")) {
    return { kind: tags.every((tag) => children.has(paragraphOf(tag))) ? "paragraphs" : "mixed" };
  }
  const row = closest(common, ...STRUCTURE);
  // A block from the first cell of a row to its last cell repeats the row. It must not have branches.
  if (row?.name === "w:tr" && block.branches.length === 0) return { kind: "one-row", row };
  return { kind: "mixed" };
}

/** Whether the nearest structure is a table or a row, where a section spans whole rows. */
function inRows(common: ElementNode): boolean {
  const name = closest(common, ...STRUCTURE)?.name;
  return name === "w:tr" || name === "w:tbl";
}

/** Returns the child of an ancestor that contains a tag. */
function childToward(ancestor: ElementNode, tag: TagNode): ElementNode {
  const chain = ancestors(tag);
  const child = chain[chain.indexOf(ancestor) + 1];
  if (child === undefined) throw new Error("The tag is directly in the element.");
  return child;
}

/** Whether visible content precedes and follows a tag in its paragraph or row. Tags that move out do not count. */
interface Surroundings {
  readonly before: boolean;
  readonly after: boolean;
}

/** Returns the surroundings of each tag that should move out of a paragraph or row. */
function surroundings(
  anchor: ElementNode,
  edges: ReadonlySet<TagNode>,
): Map<TagNode, Surroundings> {
  const counts = new Map<TagNode, number>();
  let shown = 0;
  for (const node of contentOf(anchor)) {
    if (node.kind === "tag" && edges.has(node)) counts.set(node, shown);
    else if (node.kind !== "marker" && isVisible(node) && !leavesNothing(node)) shown += 1;
  }
  const found = new Map<TagNode, Surroundings>();
  for (const [tag, count] of counts) found.set(tag, { before: count > 0, after: count < shown });
  return found;
}

/** Whether a node is a tag that never leaves anything in its place. */
function leavesNothing(node: TemplateNode): boolean {
  if (node.kind !== "tag") return false;
  const { kind } = node.directive;
  return kind === "note" || kind === "tablecolumn" || kind === "endtablecolumn";
}

/**
 * Returns the side of a paragraph or row to which a tag can move without passing visible content: before it if nothing
 * precedes the tag, after it if nothing follows; null in the middle.
 */
function sideOf({ before, after }: Surroundings): "before" | "after" | null {
  if (!before) return "before";
  return after ? null : "after";
}

/** Finds the surroundings of tags after all tags that move out are known. */
class Neighbourhood {
  readonly #edges: ReadonlySet<TagNode>;
  readonly #found = new Map<ElementNode, Map<TagNode, Surroundings>>();

  constructor(edges: ReadonlySet<TagNode>) {
    this.#edges = edges;
  }

  /** Returns the surroundings of a tag that moves out of `anchor`, which contains it. */
  of(tag: TagNode, anchor: ElementNode): Surroundings {
    let found = this.#found.get(anchor);
    if (found === undefined) {
      found = surroundings(anchor, this.#edges);
      this.#found.set(anchor, found);
    }
    const own = found.get(tag);
    if (own === undefined) throw new Error("The tag does not move out of this element.");
    return own;
  }
}

/**
 * Keeps all tags of a block over paragraphs in the text if one of them is in the middle of a paragraph: "Dear {{if
 * x}}Sir" … "and Madam{{endif}}, we". Such a tag may prevent others in its paragraph from moving out, so those are
 * checked again.
 */
function keepInTextWhereNeeded(blocks: readonly Block[], edges: Set<TagNode>): void {
  const blockOf = new Map<TagNode, Block>();
  for (const block of blocks) for (const tag of blockTags(block)) blockOf.set(tag, block);
  const open = new Set([...blockOf.keys()].map(paragraphOf));
  for (const paragraph of open) {
    open.delete(paragraph);
    for (const [tag, around] of surroundings(paragraph, edges)) {
      const block = blockOf.get(tag);
      // Tags in a text box are checked in their own paragraph, not in the paragraph with the box.
      if (block === undefined || sideOf(around) !== null || paragraphOf(tag) !== paragraph)
        continue;
      for (const each of blockTags(block)) {
        edges.delete(each);
        open.add(paragraphOf(each));
      }
    }
  }
}

function paragraphOf(tag: TagNode): ElementNode {
  const paragraph = closest(tag, "w:p");
  if (paragraph === null) throw new Error("The tag is outside a paragraph.");
  return paragraph;
}

function placeOverParagraphs(
  block: Block,
  edges: ReadonlySet<TagNode>,
  neighbourhood: Neighbourhood,
  placements: Map<TagNode, Placement>,
): void {
  for (const tag of blockTags(block)) {
    const anchor = paragraphOf(tag);
    const around = edges.has(tag) ? neighbourhood.of(tag, anchor) : null;
    let side = around === null ? null : sideOf(around);
    // A paragraph that ends a section or begins a page is not repeated by a block that begins at its end.
    const isOutside = staysEmpty(anchor) && !showsPage(block, anchor);
    if (tag === block.open && around?.after === false && isOutside) side = "after";
    placements.set(
      tag,
      side === null ? { kind: "through", paragraph: anchor } : { kind: "edge", anchor, side },
    );
  }
}

/** Whether an `if` at the beginning of a paragraph also decides about the page that the paragraph begins. */
function showsPage({ kind, open }: Block, paragraph: ElementNode): boolean {
  if (kind !== "if" || endsSection(paragraph)) return false;
  for (const node of contentOf(paragraph)) {
    if (node.kind === "tag" && node.directive.kind !== "note") return node === open;
  }
  return false;
}

/** Returns false when a `for` or `if` begins or ends in the middle of a row. */
function placeOverRows(
  block: Block,
  rowOf: RowFinder,
  neighbourhood: Neighbourhood,
  placements: Map<TagNode, Placement>,
): boolean {
  const oneRow = rowOf(block.open) === rowOf(block.close);
  for (const tag of blockTags(block)) {
    const anchor = rowOf(tag);
    const outward = tag === block.open ? "before" : "after";
    let side: "before" | "after" | null = outward;
    if (block.kind !== "tablerow" && block.kind !== "section") {
      const around = neighbourhood.of(tag, anchor);
      side = sideOf(around);
      if (side === null || (oneRow && around[outward])) return false;
      if (oneRow) side = outward;
    }
    placements.set(tag, { kind: "edge", anchor, side });
  }
  return true;
}
