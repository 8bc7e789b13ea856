import type { Diagnostic } from "@quire/contracts";
import { CELL_ORDER } from "../values/rich/properties.ts";
import { hasMerge, hiddenValue, mergeProblem } from "./merge-tags.ts";
import {
  childNamed,
  closest,
  descendants,
  type ElementNode,
  element,
  type TagNode,
} from "./nodes/nodes.ts";
import { insertInOrder, propertiesOf } from "./nodes/properties.ts";
import { gridCells } from "./nodes/table-grid.ts";

/**
 * Prepares the rows with tags that make a cell cover the ones to its right: `mergeAcross` and `span`. The looks and
 * the vertical merges must have been placed. Returns a problem for each tag whose cell cannot do so.
 */
export function placeCovers(root: ElementNode, tags: readonly TagNode[]): Diagnostic[] {
  const across = tags.filter(({ directive }) => hasMerge(directive, "mergeAcross"));
  const problems = across.flatMap((tag) => placeAcross(tag) ?? []);
  const isSpanning = tags.some(({ directive }) => {
    return directive.kind === "value" && directive.modifiers.some(({ name }) => name === "span");
  });
  if (across.length === 0 && !isSpanning) return problems;
  for (const node of descendants(root)) {
    if (node.kind === "element" && node.name === "w:tr") problems.push(...prepareRow(node));
  }
  return problems;
}

function placeAcross(tag: TagNode): Diagnostic | null {
  const cell = closest(tag, "w:tc");
  if (cell === null) {
    return mergeProblem(
      tag,
      "is not in a cell of a table",
      "Put it into a cell, or leave out 'mergeAcross'.",
    );
  }
  cell.covers ??= { span: [], merge: null };
  if (cell.covers.merge !== null) {
    return mergeProblem(
      tag,
      "is the second tag with 'mergeAcross' in its cell",
      "Leave out one of the two.",
    );
  }
  cell.covers.merge = tag;
  return hiddenValue(tag, cell, "mergeAcross");
}

/** Prepares all cells of a row if one of them may cover others. */
function prepareRow(row: ElementNode): Diagnostic[] {
  const cells = gridCells(row).flatMap(({ cell }) => cell ?? []);
  const covering = cells.filter(({ covers }) => covers !== undefined);
  if (covering.length === 0) return [];
  const problems = covering.flatMap((cell) => upright(cell, cells) ?? []);
  row.coversCells = true;
  for (const cell of covering) prepareSize(cell);
  for (const cell of cells) cell.covers ??= { span: [], merge: null };
  return problems;
}

/** Returns a problem if a cell that covers others, or one of those, is also merged with the rows above or below. */
function upright(cell: ElementNode, cells: readonly ElementNode[]): Diagnostic | null {
  const { span = [], merge = null } = cell.covers ?? {};
  const tag = span[0] ?? merge;
  const last = span.length > 0 ? cells.length : cells.indexOf(cell) + 1;
  const isUpright = cells
    .slice(cells.indexOf(cell), last)
    .some((each) => childNamed(childNamed(each, "w:tcPr"), "w:vMerge") !== null);
  if (tag === null || !isUpright) return null;
  return mergeProblem(
    tag,
    "merges cells of a row of which one is merged with other rows",
    "Split that cell in Word and leave out 'merge' there, or do not merge the cells of this row.",
  );
}

/** Marks the properties of a cell that depend on the cells that it covers. */
function prepareSize(cell: ElementNode): void {
  const properties = propertiesOf(cell, "w:tcPr");
  const width = childNamed(properties, "w:tcW");
  if (width !== null) width.covering = "width";
  const known = childNamed(properties, "w:gridSpan");
  const columns = known ?? element("w:gridSpan", ' w:val="1"');
  columns.covering = "columns";
  if (known === null) insertInOrder(properties, columns, CELL_ORDER);
}
