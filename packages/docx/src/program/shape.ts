import { isOnlyBlock } from "../template/blocks/moves.ts";
import {
  childNamed,
  contentOf,
  type ElementNode,
  endsSection,
  isProperties,
  isVisible,
  type TemplateNode,
} from "../template/nodes/nodes.ts";
import { isRangeMark } from "../template/nodes/range-marks.ts";
import type { Ending } from "./static-op.ts";

/** Containers that Word reports as damaged if they do not end with a paragraph. */
export const NEEDS_PARAGRAPH: ReadonlySet<string> = new Set([
  "w:body",
  "w:tc",
  "w:txbxContent",
  "w:hdr",
  "w:ftr",
  "w:footnote",
  "w:endnote",
  "w:comment",
]);

/** Elements around table rows or cell paragraphs that do not count as rows or paragraphs. */
export const TRANSPARENT: ReadonlySet<string> = new Set(["w:sdt", "w:sdtContent", "w:customXml"]);

/** Returns how a node changes the number of open blocks: by 1, 0 or -1. */
export function depthStep(node: TemplateNode): number {
  if (node.kind !== "marker") return 0;
  const { kind } = node.tag.directive;
  if (kind.startsWith("end")) return -1;
  return kind === "else" || kind === "elseif" ? 0 : 1;
}

/** Whether a table has a row outside all blocks. */
export function hasFixedRow(parent: ElementNode): boolean {
  let depth = 0;
  for (const child of parent.children) {
    depth += depthStep(child);
    if (depth > 0 || child.kind !== "element") continue;
    const row = child.name === "w:tr" && hasFixedCell(child);
    if (row || (TRANSPARENT.has(child.name) && hasFixedRow(child))) return true;
  }
  return false;
}

/** Whether a row has a cell outside all blocks. */
export function hasFixedCell(parent: ElementNode): boolean {
  let depth = 0;
  for (const child of parent.children) {
    depth += depthStep(child);
    if (depth > 0 || child.kind !== "element") continue;
    if (child.name === "w:tc" || (TRANSPARENT.has(child.name) && hasFixedCell(child))) return true;
  }
  return false;
}

/** Whether a content control has content outside all blocks. True for every control around text. */
export function hasFixedContent(control: ElementNode): boolean {
  const content = childNamed(control, "w:sdtContent");
  if (content === null || closestIsParagraph(control)) return true;
  let depth = 0;
  let elements = 0;
  for (const child of content.children) {
    depth += depthStep(child);
    if (child.kind !== "element" || isRangeMark(child)) continue;
    elements += 1;
    if (depth === 0 && isFixed(child)) return true;
  }
  return elements === 0;
}

/** Whether an element outside blocks always produces output. */
function isFixed(element: ElementNode): boolean {
  switch (element.name) {
    case "w:p":
      return !isOnlyBlocks(element);
    case "w:tbl":
      return hasFixedRow(element);
    case "w:tr":
      return hasFixedCell(element);
    case "w:sdt":
      return hasFixedContent(element);
    default:
      return true;
  }
}

function closestIsParagraph(control: ElementNode): boolean {
  for (let at = control.parent; at !== null; at = at.parent) {
    if (at.name === "w:p") return true;
    if (!TRANSPARENT.has(at.name)) return false;
  }
  return false;
}

/** Whether the last element of a container is a paragraph that is always written, whatever its values are. */
export function endsInFixedParagraph(container: ElementNode): boolean {
  const last = container.children.findLast(
    (node) =>
      node.kind === "marker" ||
      (node.kind === "element" && !isRangeMark(node) && node.name !== "w:sectPr"),
  );
  if (last?.kind !== "element") return false;
  if (TRANSPARENT.has(last.name)) {
    return endsInFixedParagraph(childNamed(last, "w:sdtContent") ?? last);
  }
  // Word itself adds a paragraph to a body that ends with a table, so none has to be added here.
  if (container.name === "w:body" && last.name === "w:tbl") return true;
  return last.name === "w:p" && !isOnlyBlocks(last) && !isFlowing(last);
}

/** Whether all content that a paragraph can show is within blocks that begin and end in it. */
export function isOnlyBlocks(paragraph: ElementNode): boolean {
  let depth = 0;
  let blocks = 0;
  for (const node of contentOf(paragraph)) {
    const step = depthStep(node);
    depth += step;
    blocks += Math.max(step, 0);
    if (depth < 0) return false;
    if (depth === 0 && node.kind !== "marker" && isVisible(node)) return false;
  }
  if (blocks === 0 || depth !== 0 || endsSection(paragraph)) return false;
  // The paragraph is kept if it is alone in its cell, unless it is repeated there. This is checked last, because the
  // check examines all siblings.
  const { parent } = paragraph;
  return !isOnlyBlock(paragraph) || hasMarker(parent) || parent?.name === "w:sdtContent";
}

function hasMarker(parent: ElementNode | null): boolean {
  return parent?.children.some(({ kind }) => kind === "marker") ?? false;
}

/**
 * Whether a value of a paragraph may be rich text that splits it: the paragraph has a value in a run, and its
 * blocks begin and end in it.
 */
export function isFlowing(paragraph: ElementNode): boolean {
  let depth = 0;
  let values = 0;
  for (const node of ownContent(paragraph)) {
    depth += depthStep(node);
    if (depth < 0) return false;
    if (node.kind === "tag" && node.parent?.name === "w:t") values += 1;
  }
  return values > 0 && depth === 0;
}

/** Yields the content of a paragraph without its text boxes. */
function* ownContent(element: ElementNode): Generator<TemplateNode> {
  for (const child of element.children) {
    if (isProperties(child)) continue;
    yield child;
    if (child.kind === "element" && child.name !== "w:txbxContent") yield* ownContent(child);
  }
}

/** Returns the range marks of a paragraph outside its blocks, which are kept when the paragraph is removed. */
export function outerRangeMarks(paragraph: ElementNode): ElementNode[] {
  let depth = 0;
  const marks: ElementNode[] = [];
  for (const node of contentOf(paragraph)) {
    depth += depthStep(node);
    if (depth === 0 && node.kind === "element" && isRangeMark(node)) marks.push(node);
  }
  return marks;
}

/** Returns the element before another, ignoring range marks; null if a block begins or ends between them. */
export function previousElement(element: ElementNode): ElementNode | null {
  const siblings = element.parent?.children ?? [];
  for (let at = siblings.indexOf(element) - 1; at >= 0; at--) {
    const node = siblings[at];
    if (node?.kind === "element" && !isRangeMark(node)) return node;
    if (node?.kind === "marker") return null;
  }
  return null;
}

/** Returns how the output ends after an element. */
export function afterElement(element: ElementNode): Ending {
  if (element.name === "w:p") return "paragraph";
  if (element.name === "w:tbl") return "table";
  return isRangeMark(element) || TRANSPARENT.has(element.name) ? "unchanged" : "other";
}
