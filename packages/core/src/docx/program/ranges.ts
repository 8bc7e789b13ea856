import { isRangeMark } from "../template/blocks/range-marks.ts";
import {
  detach,
  type ElementNode,
  indexInParent,
  insertAt,
  type TagNode,
  type TemplateNode,
} from "../template/nodes.ts";

/** The block, or the branch of one, that is open where something stands; null outside of every block. */
interface Frame {
  readonly outer: Frame | null;
  readonly depth: number;
}

/** One half of a range. */
interface Half {
  readonly element: ElementNode;
  readonly frame: Frame | null;
}

/**
 * Makes both halves of every range (bookmarks, comments, permissions) stand in the same block, so that
 * whatever a block repeats or leaves out has both of them: where one stands in a block of its own, the
 * range shrinks to the place of the other one.
 */
export function settleRanges(root: ElementNode): void {
  for (const [start, end] of findPairs(root)) {
    if (start.frame === end.frame) continue;
    const toStart = (start.frame?.depth ?? 0) <= (end.frame?.depth ?? 0);
    const [stays, moves] = toStart ? [start.element, end.element] : [end.element, start.element];
    if (stays.parent === null) continue;
    detach(moves);
    insertAt(stays.parent, indexInParent(stays) + (toStart ? 1 : 0), moves);
  }
}

function findPairs(root: ElementNode): (readonly [Half, Half])[] {
  const pairs: (readonly [Half, Half])[] = [];
  const waiting = new Map<string, Half>();
  let frame: Frame | null = null;
  const visit = (node: TemplateNode): void => {
    if (node.kind === "marker") frame = frameAfter(node.tag, frame);
    if (node.kind !== "element") return;
    if (isRangeMark(node)) {
      const kind = node.name.replace(/Start$|End$/, "");
      const key = kind + (/ w:id="[^"]*"/.exec(node.attributes)?.[0] ?? "");
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
  return pairs;
}

function frameAfter(tag: TagNode, frame: Frame | null): Frame | null {
  const { kind } = tag.directive;
  if (kind.startsWith("end")) return frame?.outer ?? null;
  const outer = kind === "else" || kind === "elseif" ? (frame?.outer ?? null) : frame;
  return { outer, depth: (outer?.depth ?? 0) + 1 };
}
