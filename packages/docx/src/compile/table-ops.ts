import { columnsOp } from "../program/column-op.ts";
import type { TableSizeOp } from "../program/column-widths.ts";
import type { CellOp, CellWidthOp, Op } from "../program/ops.ts";
import { hasFixedCell, hasFixedRow, previousElement } from "../program/shape.ts";
import {
  childNamed,
  descendants,
  type ElementNode,
  type TagNode,
} from "../template/nodes/nodes.ts";
import { columnsIn } from "../template/nodes/table-grid.ts";
import type { Sizing } from "../template/nodes/tag-uses.ts";
import { withModifiers } from "./look-op.ts";
import { decidingOp } from "./merged-cells.ts";

/** Returns the op of a table. Separates a table from a table before it. */
export function tableOp(table: ElementNode, body: readonly Op[]): Op {
  const before = previousElement(table);
  const apart = table.apart === true || before?.name !== "w:tbl" || !hasFixedRow(before);
  return { op: "table", isSized: isSized(table), apart, vanishes: !hasFixedRow(table), body };
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
    grid: width?.sizing?.kind === "cell" ? width.sizing : null,
    tags: span.map(withModifiers),
    by: merge === null ? null : decidingOp(merge, "mergeAcross"),
    isAlone,
    isSame: ![...descendants(cell)].some((node) => {
      if (node.kind === "element") return node.tagged !== undefined;
      return node.kind === "marker" || (node.kind === "tag" && !span.includes(node));
    }),
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

/** Whether tags set the widths of a table's columns. */
export function isSized(table: ElementNode): boolean {
  return childNamed(childNamed(table, "w:tblGrid"), "w:gridCol")?.sizing !== undefined;
}

/** Returns the op of an element whose size depends on the widths that tags set. `body` writes it as in the template. */
export function sizedOp(element: ElementNode, sizing: Sizing<TagNode>, body: () => Op[]): Op {
  const { name, attributes } = element;
  switch (sizing.kind) {
    case "column": {
      const { column, turns, tags, whole } = sizing;
      const width = widthOf(element)?.amount ?? 0;
      return { op: "gridColumn", column, turns, tags: tags.map(withModifiers), width, whole };
    }
    case "cell": {
      const isFixed = widthOf(element)?.unit === "dxa";
      const { from, to, turns } = sizing;
      return {
        op: "cellWidth",
        element: name as CellWidthOp["element"],
        columns: { from, to, turns },
        isFixed,
        body: attributes === "" ? [] : body(),
      };
    }
    case "table":
      return { op: "tableSize", of: name as TableSizeOp["of"], own: ownXml(element) ?? "" };
  }
}

/** Returns an element as it is in the template; null if it is missing, or if its number depends on the data. */
function ownXml(element: ElementNode | null): string | null {
  if (element === null || element.computed !== undefined || element.attributes === "") return null;
  return `<${element.name}${element.attributes}/>`;
}
