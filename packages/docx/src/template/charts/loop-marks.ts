import {
  indexInParent,
  insertAt,
  type MarkerNode,
  type SpanNumber,
  type TagNode,
  type TemplateNode,
} from "../nodes/nodes.ts";

/** The tags of a loop. */
export interface LoopTags {
  readonly open: TagNode;
  readonly close: TagNode;
  readonly alias: string;
}

/** Puts the marks of a loop around a node. `open`: the tag that opens the loop. */
export function repeat(node: TemplateNode, open: TagNode): void {
  const { parent } = node;
  if (parent === null) return;
  const [begin, , end] = repeated(node, open);
  const at = indexInParent(node);
  insertAt(parent, at + 1, end);
  insertAt(parent, at, begin);
}

/** Returns a node between the marks of a loop. */
export function repeated(
  node: TemplateNode,
  open: TagNode,
): [MarkerNode, TemplateNode, MarkerNode] {
  const end = { ...open, directive: { kind: "endtablecolumn" } } as const;
  return [marker(counted(open)), node, marker(end)];
}

/** Returns the repetitions of loops for a number that counts them. */
export function countedBy(opens: readonly TagNode[]): SpanNumber["repeated"] {
  return opens.map((open) => ({ columns: 1, tag: counted(open) }));
}

/** Returns the tag that opens a loop as one whose items are counted. */
function counted(open: TagNode): TagNode {
  const { directive } = open;
  if (directive.kind !== "for") throw new Error("The tag does not open a loop.");
  return { ...open, directive: { ...directive, kind: "tablecolumn" }, parent: null };
}

function marker(tag: TagNode): MarkerNode {
  return { kind: "marker", tag: { ...tag, parent: null }, parent: null };
}
