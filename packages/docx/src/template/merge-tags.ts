import type { Diagnostic } from "@quire/contracts";
import { CELL_ORDER } from "../values/rich/properties.ts";
import { tagProblem } from "./nodes/diagnostics.ts";
import { childNamed, closest, type ElementNode, element, type TagNode } from "./nodes/nodes.ts";
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
  const made = element("w:vMerge", "");
  made.mergedBy = tag;
  insertInOrder(properties, made, CELL_ORDER);
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
