import type { Diagnostic } from "../../../errors.ts";
import { tagProblem } from "../mistakes/diagnostics.ts";
import {
  closest,
  commonAncestor,
  contentOf,
  detach,
  type ElementNode,
  endsSection,
  indexInParent,
  insertAt,
  isProperties,
  isVisible,
  type MarkerNode,
  type TagNode,
  type TemplateNode,
} from "../nodes.ts";
import { type Block, blockTags } from "./blocks.ts";
import type { Placement } from "./placement.ts";

/**
 * Moves every block tag to where it takes effect and leaves a marker there, splitting runs as
 * needed, so that what stands between two markers of a block is exactly what the block repeats or
 * shows. Then removes what the tags leave empty. Changes the tree; returns the tags that stand where
 * no split is possible.
 */
export function liftTags(
  tags: readonly TagNode[],
  blocks: readonly Block[],
  placements: ReadonlyMap<TagNode, Placement>,
): Diagnostic[] {
  const problems: Diagnostic[] = [];
  const left = new Set<ElementNode>();
  const rows = rowsOfLongBlocks(blocks, placements);
  const lifter = new Lifter();
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
  for (const paragraph of left) vanishWhenEmpty(paragraph);
  for (const row of rows) {
    if (!showsAnything(row)) detach(row);
  }
  return problems;
}

/** Lifts tags one after the other, in document order. */
class Lifter {
  readonly #lastAfter = new Map<ElementNode, TemplateNode>();
  readonly #hosts = new Map<Block, ElementNode>();

  lift(tag: TagNode, placement: Placement): Diagnostic | null {
    switch (placement.kind) {
      case "edge":
        liftToEdge(tag, placement, this.#lastAfter);
        return null;
      case "through":
        return liftWithin(tag, placement.paragraph);
      case "inline":
        return liftWithin(tag, this.#hostOf(placement.block));
      case "removed":
        detach(tag);
        return null;
    }
  }

  /**
   * The element that holds a whole inline block. It is looked for when the block's first tag is
   * lifted: by then the tags before have cut elements in two, and none that comes cuts between the
   * block's tags.
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

/** Rows that hold one end of a block over several rows: they vanish when they hold nothing else. */
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
  lastAfter: Map<ElementNode, TemplateNode>,
): void {
  const container = anchor.parent;
  if (container === null) throw new Error("A paragraph or row stands outside of a container.");
  const marker = markerFor(tag);
  const passed = anchor.name === "w:p" ? rangeMarks(anchor, tag, side) : [];
  for (const node of [tag, ...passed]) detach(node);
  if (side === "before") {
    insertAt(container, indexInParent(anchor), ...passed, marker);
    return;
  }
  const after = lastAfter.get(anchor) ?? anchor;
  insertAt(container, indexInParent(after) + 1, marker, ...passed);
  lastAfter.set(anchor, passed.at(-1) ?? marker);
}

/** The range marks between a tag and the edge it moves to: they go with it, to keep their order. */
function rangeMarks(
  paragraph: ElementNode,
  tag: TagNode,
  side: "before" | "after",
): TemplateNode[] {
  const content = [...contentOf(paragraph)];
  const at = content.indexOf(tag);
  const between = side === "before" ? content.slice(0, at) : content.slice(at + 1);
  return between.filter(isRangeMark);
}

/** Elements that mean the same when they are cut in two. */
const SPLITTABLE = new Set([
  "w:t",
  "w:r",
  "w:hyperlink",
  "w:ins",
  "w:moveTo",
  "w:smartTag",
  "w:customXml",
]);

/** Cuts the elements between the tag and its host in two, so that the tag stands directly in the host. */
function liftWithin(tag: TagNode, host: ElementNode): Diagnostic | null {
  for (let parent = tag.parent; parent !== host; parent = tag.parent) {
    if (parent === null || parent.parent === null || !SPLITTABLE.has(parent.name)) {
      return tagProblem(
        tag,
        "block_crosses_element",
        `${tag.text} stands inside a field, content control or similar, and the rest of its block outside of it.`,
        "Begin and end the block both inside or both outside of it.",
      );
    }
    splitAround(tag, parent, parent.parent);
  }
  const index = indexInParent(tag);
  detach(tag);
  insertAt(host, index, markerFor(tag));
  return null;
}

/** Turns `<parent>before TAG after</parent>` into `<parent>before</parent> TAG <parent>after</parent>`. */
function splitAround(tag: TagNode, parent: ElementNode, grandparent: ElementNode): void {
  const following = parent.children.splice(indexInParent(tag) + 1);
  detach(tag);
  const at = indexInParent(parent) + 1;
  insertAt(grandparent, at, tag);
  if (following.length === 0) return;
  const second: ElementNode = { ...parent, children: [], parent: null };
  const properties = parent.children.find(isRunProperties);
  if (properties !== undefined) insertAt(second, 0, copy(properties));
  insertAt(second, second.children.length, ...following);
  insertAt(grandparent, at + 1, second);
}

function isRunProperties(node: TemplateNode): boolean {
  return node.kind === "element" && node.name === "w:rPr";
}

function copy(node: TemplateNode): TemplateNode {
  if (node.kind !== "element") return { ...node, parent: null };
  const clone: ElementNode = { ...node, children: [], parent: null };
  insertAt(clone, 0, ...node.children.map(copy));
  return clone;
}

/** Text beside a tag may begin or end with a space, and so may values. */
function preserveSpaces(paragraph: ElementNode): void {
  for (const node of contentOf(paragraph)) {
    if (node.kind === "element" && node.name === "w:t" && !node.attributes.includes("xml:space=")) {
      node.attributes += ' xml:space="preserve"';
    }
  }
}

/** Removes text elements without text and runs without content: what gathered tags leave behind. */
function dropEmptyRuns(element: ElementNode): void {
  const { children } = element;
  let kept = 0;
  for (const child of children) {
    if (child.kind === "element" && !isProperties(child)) {
      dropEmptyRuns(child);
      if (child.name === "w:t" && child.children.length === 0) continue;
      if (child.name === "w:r" && child.children.every(isRunProperties)) continue;
    }
    children[kept] = child;
    kept += 1;
  }
  children.length = kept;
}

function showsAnything(element: ElementNode): boolean {
  for (const node of contentOf(element)) if (isVisible(node)) return true;
  return false;
}

/** Marks that come in pairs and whose other half may stand elsewhere: they outlive their paragraph. */
const RANGE_MARKS = new Set([
  "w:bookmarkStart",
  "w:bookmarkEnd",
  "w:commentRangeStart",
  "w:commentRangeEnd",
  "w:permStart",
  "w:permEnd",
  "w:moveFromRangeStart",
  "w:moveFromRangeEnd",
  "w:moveToRangeStart",
  "w:moveToRangeEnd",
]);

/** Whether a node is one half of a range, such as a bookmark. */
export function isRangeMark(node: TemplateNode): boolean {
  return node.kind === "element" && RANGE_MARKS.has(node.name);
}

/**
 * Removes a paragraph that its tags have left empty, unless it ends a section or is all that its
 * cell (or header, note, text box) has.
 */
function vanishWhenEmpty(paragraph: ElementNode): void {
  const { parent } = paragraph;
  if (parent === null || showsAnything(paragraph) || endsSection(paragraph)) return;
  if (isOnlyBlock(paragraph)) return;
  const marks = [...contentOf(paragraph)].filter(
    (node) => isRangeMark(node) || node.kind === "marker",
  );
  const index = indexInParent(paragraph);
  const next = parent.children
    .slice(index + 1)
    .find((node) => node.kind === "marker" || (node.kind === "element" && !isRangeMark(node)));
  if (next?.kind === "element" && next.name === "w:tbl") next.apart = true;
  detach(paragraph);
  for (const mark of marks) detach(mark);
  insertAt(parent, index, ...marks);
}

const BLOCKS = new Set(["w:p", "w:tbl", "w:sdt", "w:customXml", "w:altChunk"]);

/** Whether a paragraph is the only paragraph or table of its container. */
export function isOnlyBlock(paragraph: ElementNode): boolean {
  const siblings = paragraph.parent?.children ?? [];
  return siblings.every(
    (node) => node === paragraph || node.kind !== "element" || !BLOCKS.has(node.name),
  );
}
