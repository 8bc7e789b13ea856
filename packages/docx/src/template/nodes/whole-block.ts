import {
  contentOf,
  type ElementNode,
  isVisible,
  type TagNode,
  type TemplateNode,
} from "./nodes.ts";

/**
 * Returns the tag of the `if` that contains all that a cell shows. Null for other cells, and for a block with further
 * branches. The blocks must have been placed.
 */
export function wholeBlock(cell: ElementNode): TagNode | null {
  const open: TagNode[] = [];
  let found: TagNode | null = null;
  for (const node of contentOf(cell)) {
    const isOutside = open.length === 0;
    if (node.kind !== "marker") {
      if (isOutside && isShown(node)) return null;
      continue;
    }
    const { tag } = node;
    const step = stepOf(tag);
    if (step === "branch" && open.length === 1) return null;
    if (step === "end") open.pop();
    if (step !== "begin") continue;
    if (isOutside && (found !== null || tag.directive.kind !== "if" || tag.mustHold)) return null;
    if (isOutside) found = tag;
    open.push(tag);
  }
  return found;
}

/** Returns what a tag of a block does. */
export function stepOf({ directive: { kind } }: TagNode): "begin" | "branch" | "end" {
  if (kind.startsWith("end")) return "end";
  return kind === "else" || kind === "elseif" ? "branch" : "begin";
}

/** Whether a cell shows nothing and has no blocks. */
export function isBlank(cell: ElementNode): boolean {
  for (const node of contentOf(cell)) if (node.kind === "marker" || isShown(node)) return false;
  return true;
}

/** Returns what a cell shows, apart from the tags of blocks. */
export function shownIn(cell: ElementNode): TemplateNode[] {
  return [...contentOf(cell)].filter((node) => node.kind !== "marker" && isShown(node));
}

function isShown(node: TemplateNode): boolean {
  return isVisible(node) && !(node.kind === "tag" && node.directive.kind === "note");
}
