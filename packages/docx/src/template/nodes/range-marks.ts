import { attributesOf, contentOf, type ElementNode, type TemplateNode } from "./nodes.ts";

/**
 * Marks that occur in pairs. They are kept when their paragraph is removed, because the other half may be elsewhere.
 */
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

/** The elements of a comment in the text. None of them is visible on the page. */
const COMMENT_MARKS = new Set(["w:commentRangeStart", "w:commentRangeEnd", "w:commentReference"]);

/**
 * Returns the marks of comments that belong to one paragraph or row: their ranges begin and end in it, and it contains
 * the references to them.
 */
export function ownCommentMarks(element: ElementNode): ReadonlySet<TemplateNode> {
  const comments = new Map<string, ElementNode[]>();
  for (const node of contentOf(element)) {
    if (node.kind !== "element" || !COMMENT_MARKS.has(node.name)) continue;
    const id = attributesOf(node.attributes)["w:id"] ?? "";
    const marks = comments.get(id) ?? [];
    marks.push(node);
    comments.set(id, marks);
  }
  const own = new Set<TemplateNode>();
  for (const marks of comments.values()) {
    if (new Set(marks.map(({ name }) => name)).size < COMMENT_MARKS.size) continue;
    for (const mark of marks) own.add(mark);
  }
  return own;
}
