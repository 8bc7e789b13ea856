import type { ColumnsOp } from "./column-op.ts";
import type { LookOp } from "./tag-ops.ts";

/**
 * The columns of the grid that a cell covers, as the template numbers them from 0; `to` is exclusive. `turns`: the number
 * of `tablecolumn` blocks around the cell. Of columns that repeat in further blocks, it covers all repetitions.
 */
export interface CoveredColumns {
  readonly from: number;
  readonly to: number;
  readonly turns: number;
}

/** A column of a table with tags for the widths of columns. It decides on its width. */
export interface GridColumnOp {
  readonly op: "gridColumn";
  readonly column: number;
  /** The number of `tablecolumn` blocks around the column. */
  readonly turns: number;
  /** The last tag that applies wins. */
  readonly tags: LookOp["tags"];
  /** The width if no tag applies, in twentieths of a point. */
  readonly width: number | ColumnsOp;
  /** The width of the whole table in the template, of which tags may give shares. */
  readonly whole: number;
}

/** The width of such a table, or whether it is fixed. `own`: the element in the template; empty if it is missing. */
export interface TableSizeOp {
  readonly op: "tableSize";
  readonly of: "w:tblW" | "w:tblLayout";
  readonly own: string;
}

/** The sum of the left and right margins of an ordinary cell, in twentieths of a point. */
const CELL_MARGINS = 216;
const EMU_PER_TWIP = 635;

/** Returns the width of the text in a cell of this width (in twentieths of a point), in EMU; null if it is too narrow. */
export function textWidthIn(twips: number): number | null {
  return twips > CELL_MARGINS ? (twips - CELL_MARGINS) * EMU_PER_TWIP : null;
}
