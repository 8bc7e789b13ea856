import type { Diagnostic } from "@quire/contracts";
import { tagProblem } from "../nodes/diagnostics.ts";
import {
  closest,
  commonAncestor,
  contentOf,
  detach,
  type ElementNode,
  indexInParent,
  insertAt,
  isProperties,
  isVisible,
  type MarkerNode,
  type TagNode,
  type TemplateNode,
} from "../nodes/nodes.ts";
import { isRangeMark, ownCommentMarks } from "../nodes/range-marks.ts";
import { type Block, blockTags } from "./blocks.ts";
import { CopiedIds } from "./copied-ids.ts";
import { Moves } from "./moves.ts";
import type { Placement } from "./placement.ts";

/**
 * Moves every block tag to the place where it takes effect and leaves a marker there. Splits runs as needed, so that
 * the content between two markers of a block is exactly what the block repeats or shows. Then removes elements that
 * tags left empty. Changes the tree. Returns a problem for each tag where splitting is impossible.
 */
export function liftTags(
  tags: readonly TagNode[],
  blocks: readonly Block[],
  placements: ReadonlyMap<TagNode, Placement>,
): Diagnostic[] {
  const problems: Diagnostic[] = [];
  const left = new Set<ElementNode>();
  const rows = rowsOfLongBlocks(blocks, placements);
  const moves = new Moves();
  const lifter = new Lifter(moves);
  const tagged = paragraphsWith(tags);
  for (const paragraph of tagged) preserveSpaces(paragraph);
  for (const tag of tags) {
    const paragraph = closest(tag, "w:p");
    const placement = placements.get(tag);
    const isNote = tag.directive.kind === "note";
    const leaves = isNote || placement?.kind === "edge" || placement?.kind === "removed";
    if (paragraph !== null && leaves) left.add(paragraph);
    if (isNote) detach(tag);
    const problem = placement === undefined ? null : lifter.lift(tag, placement);
    if (problem !== null) problems.push(problem);
  }
  for (const paragraph of tagged) dropEmptyRuns(paragraph);
  for (const paragraph of left) moves.vanishWhenEmpty(paragraph);
  moves.settle();
  for (const row of rows) if (!showsAnything(row)) moves.remove(row);
  moves.settle();
  return problems;
}

/** Moves tags one after the other, in document order. */
class Lifter {
  readonly #moves: Moves;
  readonly #hosts = new Map<Block, ElementNode>();
  readonly #ids = new CopiedIds();

  constructor(moves: Moves) {
    this.#moves = moves;
  }

  lift(tag: TagNode, placement: Placement): Diagnostic | null {
    switch (placement.kind) {
      case "edge":
        liftToEdge(tag, placement, this.#moves);
        return null;
      case "through":
        return liftWithin(tag, placement.paragraph, this.#ids);
      case "inline":
        return liftWithin(tag, this.#hostOf(placement.block), this.#ids);
      case "removed":
        detach(tag);
        return null;
    }
  }

  /**
   * Returns the element that contains a whole inline block. It is determined when the block's first tag is moved: at
   * that time, earlier tags have already split elements, and no later tag will split anything between the block's tags.
   */
  #hostOf(block: Block): ElementNode {
    const host = this.#hosts.get(block) ?? commonAncestor(blockTags(block));
    this.#hosts.set(block, host);
    return host;
  }
}

function paragraphsWith(tags: readonly TagNode[]): Set<ElementNode> {
  const paragraphs = new Set<ElementNode>();
  for (const tag of tags) {
    const paragraph = closest(tag, "w:p");
    if (paragraph !== null) paragraphs.add(paragraph);
  }
  return paragraphs;
}

/**
 * Returns the rows at the ends of blocks that span several rows, except for rows with a block that repeats only that
 * row. Such rows are removed if they show nothing.
 */
function rowsOfLongBlocks(
  blocks: readonly Block[],
  placements: ReadonlyMap<TagNode, Placement>,
): Set<ElementNode> {
  const ends = new Set<ElementNode>();
  const repeated = new Set<ElementNode>();
  for (const block of blocks) {
    const rows = new Set<ElementNode>();
    for (const tag of blockTags(block)) {
      const placement = placements.get(tag);
      if (placement?.kind === "edge" && placement.anchor.name === "w:tr")
        rows.add(placement.anchor);
    }
    for (const row of rows) (rows.size > 1 ? ends : repeated).add(row);
  }
  return ends.difference(repeated);
}

function markerFor(tag: TagNode): MarkerNode {
  return { kind: "marker", tag, parent: null };
}

function liftToEdge(
  tag: TagNode,
  { anchor, side }: Extract<Placement, { kind: "edge" }>,
  moves: Moves,
): void {
  const passed = anchor.name === "w:p" ? rangeMarks(anchor, tag, side) : [];
  for (const node of [tag, ...passed]) detach(node);
  moves.put(anchor, side, markerFor(tag), passed);
}

/**
 * Returns the range marks between a tag and the edge to which it moves. They move with the tag to keep their order. The
 * marks of a comment about the paragraph remain in the paragraph.
 */
function rangeMarks(
  paragraph: ElementNode,
  tag: TagNode,
  side: "before" | "after",
): TemplateNode[] {
  const content = [...contentOf(paragraph)];
  const at = content.indexOf(tag);
  const between = side === "before" ? content.slice(0, at) : content.slice(at + 1);
  const marks = between.filter(isRangeMark);
  if (marks.length === 0) return marks;
  const comments = ownCommentMarks(paragraph);
  return marks.filter((mark) => !comments.has(mark));
}

/** Elements that keep their meaning when they are split. */
const SPLITTABLE = new Set([
  "w:t",
  "w:r",
  "w:hyperlink",
  "w:ins",
  "w:moveTo",
  "w:smartTag",
  "w:customXml",
]);

/** Splits the elements between the tag and its host, so that the tag is directly in the host. */
function liftWithin(tag: TagNode, host: ElementNode, ids: CopiedIds): Diagnostic | null {
  for (let parent = tag.parent; parent !== host; parent = tag.parent) {
    if (parent === null || parent.parent === null || !SPLITTABLE.has(parent.name)) {
      return tagProblem(
        tag,
        "block_crosses_element",
        `${tag.text} is inside a field, content control or similar, but the rest of its block is outside it.`,
        "Put all tags of the block inside it, or all outside it.",
      );
    }
    splitAround(tag, parent, parent.parent, ids);
  }
  const index = indexInParent(tag);
  detach(tag);
  insertAt(host, index, markerFor(tag));
  return null;
}

/**
 * Turns `<parent>before TAG after</parent>` into `<parent>before</parent> TAG <parent>after</parent>`. Does not split
 * if there is nothing before the tag.
 */
function splitAround(
  tag: TagNode,
  parent: ElementNode,
  grandparent: ElementNode,
  ids: CopiedIds,
): void {
  const begins = parent.children.find((node) => !isEmptied(node)) === tag;
  if (begins) {
    detach(tag);
    insertAt(grandparent, indexInParent(parent), tag);
    return;
  }
  const following = parent.children.splice(indexInParent(tag) + 1);
  detach(tag);
  const at = indexInParent(parent) + 1;
  insertAt(grandparent, at, tag);
  if (following.length === 0) return;
  const second = ids.copyOf(parent);
  const properties = parent.children.find(isRunProperties);
  if (properties !== undefined) insertAt(second, 0, copy(properties, ids));
  insertAt(second, second.children.length, ...following);
  insertAt(grandparent, at + 1, second);
}

/** Whether a node is text that became empty when tags were removed, or the properties of a run or smart tag. */
function isEmptied(node: TemplateNode): boolean {
  if (node.kind !== "element") return false;
  if (node.name === "w:t" || node.name === "w:r") return node.children.every(isEmptied);
  return node.name === "w:rPr" || node.name === "w:smartTagPr";
}

function isRunProperties(node: TemplateNode): boolean {
  return node.kind === "element" && node.name === "w:rPr";
}

function copy(node: TemplateNode, ids: CopiedIds): TemplateNode {
  if (node.kind !== "element") return { ...node, parent: null };
  const clone = ids.copyOf(node);
  insertAt(clone, 0, ...node.children.map((child) => copy(child, ids)));
  return clone;
}

/** Makes Word preserve spaces, because values and the text next to a tag may begin or end with a space. */
function preserveSpaces(paragraph: ElementNode): void {
  for (const node of contentOf(paragraph)) {
    if (node.kind === "element" && node.name === "w:t" && !node.attributes.includes("xml:space=")) {
      node.attributes += ' xml:space="preserve"';
    }
  }
}

/** Elements around runs. They are not visible themselves, so they are removed if tags left them empty. */
const AROUND_RUNS = new Set(["w:hyperlink", "w:ins", "w:moveTo", "w:smartTag"]);

/** Removes the text elements, runs, and elements around runs that removed tags left empty. */
function dropEmptyRuns(element: ElementNode): void {
  const { children } = element;
  let kept = 0;
  for (const child of children) {
    if (child.kind === "element" && !isProperties(child)) {
      const wasEmpty = child.children.length === 0;
      dropEmptyRuns(child);
      if (child.name === "w:t" && child.children.length === 0) continue;
      if (child.name === "w:r" && child.children.every(isRunProperties)) continue;
      if (AROUND_RUNS.has(child.name) && !wasEmpty && child.children.every(isEmptied)) continue;
    }
    children[kept] = child;
    kept += 1;
  }
  children.length = kept;
}

/**
 * Whether anything in a row is visible. An author's comment that only concerns its tags does not count, nor does a
 * column that repeats an empty cell.
 */
function showsAnything(row: ElementNode): boolean {
  const comments = ownCommentMarks(row);
  for (const node of contentOf(row)) {
    if (isVisible(node) && !comments.has(node) && !isOfColumn(node)) return true;
  }
  return false;
}

function isOfColumn(node: TemplateNode): boolean {
  return node.kind === "marker" && node.tag.directive.kind.endsWith("tablecolumn");
}
