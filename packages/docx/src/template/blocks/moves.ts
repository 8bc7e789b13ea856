import {
  contentOf,
  type ElementNode,
  isVisible,
  type MarkerNode,
  staysEmpty,
  type TemplateNode,
} from "../nodes/nodes.ts";
import { isRangeMark, ownCommentMarks } from "../nodes/range-marks.ts";

/**
 * Collects the nodes that move to the edges of paragraphs and rows, and the paragraphs and rows to remove. Each
 * container is then rebuilt once, however many blocks it contains.
 */
export class Moves {
  readonly #before = new Map<ElementNode, TemplateNode[]>();
  readonly #after = new Map<ElementNode, TemplateNode[]>();
  /** Paragraphs and rows to remove, with the nodes to keep. */
  readonly #gone = new Map<ElementNode, readonly TemplateNode[]>();
  readonly #blocks = new Map<ElementNode, number>();

  /** Moves a marker before or after a paragraph or row, together with the range marks that the marker passes. */
  put(
    anchor: ElementNode,
    side: "before" | "after",
    marker: MarkerNode,
    passed: readonly TemplateNode[],
  ): void {
    const edges = side === "before" ? this.#before : this.#after;
    const nodes = edges.get(anchor) ?? [];
    if (side === "before") nodes.push(...passed, marker);
    else nodes.push(marker, ...passed);
    edges.set(anchor, nodes);
  }

  /**
   * Removes a paragraph that its tags have left empty, unless it ends a section, begins a page, or is the only content
   * of its cell (or header, note, text box). An author's comment that only concerns its tags is removed with it.
   */
  vanishWhenEmpty(paragraph: ElementNode): void {
    const { parent } = paragraph;
    if (parent === null || staysEmpty(paragraph)) return;
    const comments = ownCommentMarks(paragraph);
    const marks: TemplateNode[] = [];
    for (const node of contentOf(paragraph)) {
      if (comments.has(node)) continue;
      if (isVisible(node)) return;
      if (isRangeMark(node)) marks.push(node);
    }
    const blocks = this.#blocks.get(parent) ?? parent.children.filter(isBlock).length;
    if (blocks > 1) this.#gone.set(paragraph, marks);
    this.#blocks.set(parent, Math.max(blocks - 1, 1));
  }

  /** Removes a row. */
  remove(row: ElementNode): void {
    this.#gone.set(row, []);
  }

  /** Applies the collected changes. */
  settle(): void {
    const moved = [...this.#before.keys(), ...this.#after.keys(), ...this.#gone.keys()];
    for (const parent of new Set(moved.map((node) => node.parent))) {
      if (parent === null) throw new Error("A paragraph or row is outside any container.");
      this.#rewrite(parent);
    }
    this.#before.clear();
    this.#after.clear();
    this.#gone.clear();
  }

  #rewrite(parent: ElementNode): void {
    const children = parent.children.splice(0);
    let vanished = false;
    const add = (node: TemplateNode): void => {
      node.parent = parent;
      parent.children.push(node);
      if (node.kind === "text" || isRangeMark(node)) return;
      if (vanished && node.kind === "element" && node.name === "w:tbl") node.apart = true;
      vanished = false;
    };
    for (const child of children) {
      const anchor = child.kind === "element" ? child : null;
      if (anchor !== null) this.#before.get(anchor)?.forEach(add);
      const left = anchor === null ? undefined : this.#gone.get(anchor);
      if (left === undefined) add(child);
      else {
        left.forEach(add);
        child.parent = null;
        vanished = true;
      }
      if (anchor !== null) this.#after.get(anchor)?.forEach(add);
    }
  }
}

const BLOCKS = new Set(["w:p", "w:tbl", "w:sdt", "w:customXml", "w:altChunk"]);

function isBlock(node: TemplateNode): boolean {
  return node.kind === "element" && BLOCKS.has(node.name);
}

/** Whether a paragraph is the only paragraph or table of its container. */
export function isOnlyBlock(paragraph: ElementNode): boolean {
  const siblings = paragraph.parent?.children ?? [];
  return siblings.every((node) => node === paragraph || !isBlock(node));
}
