import { childNamed, closest, descendants, type ElementNode } from "./nodes.ts";

/**
 * A cell, or an omitted part at the start or end of a row (in which case `cell` is null), with its range of columns in
 * the table's grid, counted from 0. `to` is exclusive.
 */
export interface GridCell {
  readonly cell: ElementNode | null;
  /** The element with the number of columns that the cell covers; null for one column. */
  readonly span: ElementNode | null;
  /** The element with the width of the cell; null if it is missing. */
  readonly width: ElementNode | null;
  readonly from: number;
  readonly to: number;
}

/** Yields the rows of a table, without the rows of nested tables. */
export function* rowsOf(parent: ElementNode): Generator<ElementNode> {
  for (const node of parent.children) {
    if (node.kind !== "element") continue;
    if (node.name === "w:tr") yield node;
    else if (!["w:tblPr", "w:tblGrid"].includes(node.name)) yield* rowsOf(node);
  }
}

/** Returns the cells and omitted parts of a row, in the order of their columns. */
export function gridCells(row: ElementNode): GridCell[] {
  const cells: GridCell[] = [];
  const properties = childNamed(row, "w:trPr");
  const add = (cell: ElementNode | null, around: ElementNode | null, names: Names): void => {
    const span = childNamed(around, names.span);
    const from = cells.at(-1)?.to ?? 0;
    const columns = cell === null ? numberIn(span, 0) : columnsIn(span);
    const width = childNamed(around, names.width);
    if (columns > 0) cells.push({ cell, span, width, from, to: from + columns });
  };
  add(null, properties, { span: "w:gridBefore", width: "w:wBefore" });
  for (const cell of cellsOf(row)) {
    add(cell, childNamed(cell, "w:tcPr"), { span: "w:gridSpan", width: "w:tcW" });
  }
  add(null, properties, { span: "w:gridAfter", width: "w:wAfter" });
  return cells;
}

/** The names of the elements that contain a number of columns and a width. */
interface Names {
  readonly span: string;
  readonly width: string;
}

function* cellsOf(row: ElementNode): Generator<ElementNode> {
  for (const node of descendants(row)) {
    if (node.kind === "element" && node.name === "w:tc" && closest(node, "w:tr") === row)
      yield node;
  }
}

/** Returns the number of columns of a cell, from its `w:gridSpan`. Word takes an invalid number as 1. */
export function columnsIn(span: ElementNode | null): number {
  return Math.max(numberIn(span, 1), 1);
}

function numberIn(element: ElementNode | null, otherwise: number): number {
  const value = / w:val="(\d{1,4})"/.exec(element?.attributes ?? "")?.[1];
  return value === undefined ? otherwise : Number(value);
}
