import { columnsOp } from "../program/column-op.ts";
import type { CellOp, Op } from "../program/ops.ts";
import { hasFixedCell, hasFixedRow, previousElement } from "../program/shape.ts";
import { type CoverTags, childNamed, type ElementNode } from "../template/nodes/nodes.ts";
import { withModifiers } from "./look-op.ts";
import { decidingOp } from "./merged-cells.ts";

/** Returns the op of a table. A table after another one is separated from it. */
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
export function cellOp(cell: ElementNode, { span, merge }: CoverTags, body: readonly Op[]): CellOp {
  const properties = childNamed(cell, "w:tcPr");
  const columns = childNamed(properties, "w:gridSpan");
  const width = childNamed(properties, "w:tcW");
  return {
    op: "cell",
    columns: columns === null ? 1 : numberOf(columns, "w:val"),
    width:
      width === null ? null : { amount: numberOf(width, "w:w"), unit: attribute(width, "w:type") },
    tags: span.map(withModifiers),
    by: merge === null ? null : decidingOp(merge, "mergeAcross"),
    body,
  };
}

function numberOf(element: ElementNode, name: string): CellOp["columns"] {
  return element.computed === undefined
    ? Number(attribute(element, name)) || 0
    : columnsOp(element.computed);
}

function attribute({ attributes }: ElementNode, name: string): string {
  return new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";
}
