import { columnsOp } from "../program/column-op.ts";
import type { CellOp, Op } from "../program/ops.ts";
import { hasFixedCell, hasFixedRow, previousElement } from "../program/shape.ts";
import { childNamed, type ElementNode } from "../template/nodes/nodes.ts";
import { columnsIn } from "../template/nodes/table-grid.ts";
import { withModifiers } from "./look-op.ts";
import { decidingOp } from "./merged-cells.ts";

/** Returns the op of a table. Separates a table from a table before it. */
export function tableOp(table: ElementNode, body: readonly Op[]): Op {
  const before = previousElement(table);
  const apart = table.apart === true || before?.name !== "w:tbl" || !hasFixedRow(before);
  return { op: "table", apart, vanishes: !hasFixedRow(table), body };
}

/** Returns the kind of op of a row; null if the row is always written as it is. */
export function rowKind(row: ElementNode): "row" | "coveringRow" | null {
  if (row.coversCells === true) return "coveringRow";
  return hasFixedCell(row) ? null : "row";
}

/** Returns the op of a cell in a row of which some cells may cover others. */
export function cellOp(cell: ElementNode, body: readonly Op[]): CellOp {
  const { span = [], merge = null, isAlone = false } = cell.covers ?? {};
  const properties = childNamed(cell, "w:tcPr");
  const columns = childNamed(properties, "w:gridSpan");
  const width = childNamed(properties, "w:tcW");
  return {
    op: "cell",
    columns: columns?.computed === undefined ? columnsIn(columns) : columnsOp(columns.computed),
    width: width === null ? null : widthOf(width),
    own: {
      columns: ownXml(columns),
      width: ownXml(width),
    },
    tags: span.map(withModifiers),
    by: merge === null ? null : decidingOp(merge, "mergeAcross"),
    isAlone,
    body,
  };
}

/** Returns the width in an element; null if it is not a plain number. Without a unit, it is in twentieths of a point. */
function widthOf({ attributes, computed }: ElementNode): CellOp["width"] {
  const unit = / w:type="([^"]*)"/.exec(attributes)?.[1] ?? "dxa";
  if (computed !== undefined) return { amount: columnsOp(computed), unit };
  const amount = / w:w="(\d{1,9})"/.exec(attributes)?.[1];
  return amount === undefined ? null : { amount: Number(amount), unit };
}

/** Returns an element as it is in the template; null if it is missing, or if its number depends on the data. */
function ownXml(element: ElementNode | null): string | null {
  if (element === null || element.computed !== undefined || element.attributes === "") return null;
  return `<${element.name}${element.attributes}/>`;
}
