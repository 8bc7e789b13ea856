import type { Diagnostic } from "@quire/contracts";
import { lookTarget } from "../language/looks.ts";
import { CELL_ORDER } from "../values/rich/properties.ts";
import { tagProblem } from "./nodes/diagnostics.ts";
import {
  childNamed,
  closest,
  descendants,
  type ElementNode,
  element,
  type TagNode,
} from "./nodes/nodes.ts";
import { insertInOrder, propertiesOf } from "./nodes/properties.ts";

/**
 * Prepares the cells of tags with `merge`, which become one cell with the cells below them that have the same text. The
 * blocks must have been placed. Returns a problem for each tag whose cell cannot be merged.
 */
export function placeMerges(tags: readonly TagNode[]): Diagnostic[] {
  return tags.flatMap((tag) => {
    const { directive } = tag;
    const merges =
      directive.kind === "value" && directive.modifiers.some(({ name }) => name === "merge");
    return merges ? (placeMerge(tag) ?? []) : [];
  });
}

function placeMerge(tag: TagNode): Diagnostic | null {
  const cell = closest(tag, "w:tc");
  if (cell === null) {
    return problem(tag, "is not in a cell of a table", "Put it into a cell, or leave out 'merge'.");
  }
  const table = closest(cell, "w:tbl");
  if (table !== null && repeatsCells(table)) {
    return problem(
      tag,
      "merges cells of a table whose columns are repeated",
      "Leave out 'merge', or write the columns without a loop.",
    );
  }
  const properties = propertiesOf(cell, "w:tcPr");
  const known = childNamed(properties, "w:vMerge");
  if (known?.mergedBy !== undefined) {
    return problem(tag, "is the second tag with 'merge' in its cell", "Leave out one of the two.");
  }
  if (known !== null) {
    return problem(
      tag,
      "is in a cell that is merged in the template",
      "Split the cell in Word: 'merge' merges the rows of the document.",
    );
  }
  const other = hasKey(tag) ? null : otherValue(tag, cell);
  if (other !== null) {
    return problem(
      tag,
      `merges cells by its own text, so ${other.text} in the same cell would be hidden in the further rows`,
      "Write merge(key) with a value that the merged rows have in common, or put the other tag into another cell.",
    );
  }
  const made = element("w:vMerge", "");
  made.mergedBy = tag;
  insertInOrder(properties, made, CELL_ORDER);
  return null;
}

function hasKey({ directive }: TagNode): boolean {
  const calls = directive.kind === "value" ? directive.modifiers : [];
  return calls.some(({ name, arguments: given }) => name === "merge" && given.length > 0);
}

/** Returns another tag of a cell that prints a value, or null. */
function otherValue(tag: TagNode, cell: ElementNode): TagNode | null {
  for (const node of descendants(cell)) {
    if (node.kind !== "tag" || node === tag || node.directive.kind !== "value") continue;
    const { expression, modifiers } = node.directive;
    const isMerge = modifiers.some(({ name }) => name === "merge");
    if (!isMerge && (lookTarget(expression, modifiers) ?? "text") === "text") return node;
  }
  return null;
}

/** Whether blocks begin between the cells of a row. */
function repeatsCells(table: ElementNode): boolean {
  return table.children.some(
    (row) =>
      row.kind === "element" &&
      row.name === "w:tr" &&
      row.children.some(({ kind }) => kind === "marker"),
  );
}

function problem(tag: TagNode, why: string, hint: string): Diagnostic {
  return tagProblem(tag, "merge_outside", `The tag ${tag.text} ${why}.`, hint);
}
