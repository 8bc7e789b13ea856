import {
  closest,
  detach,
  type ElementNode,
  indexInParent,
  insertAt,
  type MarkerNode,
  type TemplateNode,
} from "../template/nodes/nodes.ts";
import { isRangeMark } from "../template/nodes/range-marks.ts";

/** An open block, and its current branch. The frame outside all blocks is null. */
interface Frame {
  readonly outer: Frame | null;
  readonly depth: number;
  /** The markers where the block and its branch begin. */
  readonly block: MarkerNode;
  readonly branch: MarkerNode;
}

/** One half of a range. */
interface Half {
  readonly element: ElementNode;
  readonly frame: Frame | null;
}

/**
 * Moves both halves of every range (bookmarks, comments, permissions) into the same block, so that the block repeats or
 * leaves out both. If the halves are in different blocks, the half in the inner block moves next to the other half, so
 * the range becomes empty. The range of a comment moves into the block that contains the reference to the comment: a
 * start in an inner block moves before that block, and a start outside moves to the beginning of the reference's block.
 */
export function settleRanges(root: ElementNode): void {
  const { pairs, references } = findRanges(root);
  for (const [start, end] of pairs) {
    if (start.element.name === "w:commentRangeStart") {
      settleComment(start, end, references.get(idOf(start.element)) ?? null);
      continue;
    }
    if (start.frame === end.frame) continue;
    const toStart = (start.frame?.depth ?? 0) <= (end.frame?.depth ?? 0);
    const [stays, moves] = toStart ? [start.element, end.element] : [end.element, start.element];
    if (stays.parent === null) continue;
    detach(moves);
    insertAt(stays.parent, indexInParent(stays) + (toStart ? 1 : 0), moves);
  }
}

function settleComment(start: Half, end: Half, reference: Half | null): void {
  if (reference === null) {
    // Nothing refers to the comment here. In a block, its marks would need different numbers in each iteration.
    for (const { element, frame } of [start, end]) if (frame !== null) detach(element);
    return;
  }
  const run = closest(reference.element, "w:r") ?? reference.element;
  if (end.frame !== reference.frame) moveBefore(end.element, run);
  if (start.frame === reference.frame) return;
  const within = frameIn(start.frame, reference.frame);
  if (within !== null) moveBefore(start.element, within.block);
  else if (reference.frame !== null) moveBehind(start.element, reference.frame.branch);
}

/** Returns the ancestor of `inner`, or `inner` itself, whose parent is `outer`; null if `outer` is not an ancestor. */
function frameIn(inner: Frame | null, outer: Frame | null): Frame | null {
  let frame = inner;
  while (frame !== null && frame.outer !== outer) frame = frame.outer;
  return frame;
}

function moveBefore(node: ElementNode, place: TemplateNode): void {
  detach(node);
  if (place.parent !== null) insertAt(place.parent, indexInParent(place), node);
}

function moveBehind(node: ElementNode, place: TemplateNode): void {
  detach(node);
  if (place.parent !== null) insertAt(place.parent, indexInParent(place) + 1, node);
}

function idOf({ attributes }: ElementNode): string {
  return / w:id="[^"]*"/.exec(attributes)?.[0] ?? "";
}

/** Returns the ranges of a part, and the references to comments, by their `w:id`. */
function findRanges(root: ElementNode): {
  readonly pairs: readonly (readonly [Half, Half])[];
  readonly references: ReadonlyMap<string, Half>;
} {
  const pairs: (readonly [Half, Half])[] = [];
  const references = new Map<string, Half>();
  const waiting = new Map<string, Half>();
  let frame: Frame | null = null;
  const visit = (node: TemplateNode): void => {
    if (node.kind === "marker") frame = frameAfter(node, frame);
    if (node.kind !== "element") return;
    if (node.name === "w:commentReference") references.set(idOf(node), { element: node, frame });
    if (isRangeMark(node)) {
      const kind = node.name.replace(/Start$|End$/, "");
      const key = kind + idOf(node);
      const start = waiting.get(key);
      if (node.name.endsWith("Start")) waiting.set(key, { element: node, frame });
      else if (start !== undefined) {
        waiting.delete(key);
        pairs.push([start, { element: node, frame }]);
      }
    }
    for (const child of node.children) visit(child);
  };
  visit(root);
  return { pairs, references };
}

function frameAfter(marker: MarkerNode, frame: Frame | null): Frame | null {
  const { kind } = marker.tag.directive;
  if (kind.startsWith("end")) return frame?.outer ?? null;
  if (frame !== null && (kind === "else" || kind === "elseif")) return { ...frame, branch: marker };
  return { outer: frame, depth: (frame?.depth ?? 0) + 1, block: marker, branch: marker };
}
