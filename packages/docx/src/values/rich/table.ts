import type { Length } from "./css.ts";
import type { RichCell, RichRow } from "./model.ts";
import type { RichWarnings } from "./warnings.ts";

/** Maximum number of columns in Word. */
const MAX_COLUMNS = 63;

/** Maximum number of lower parts of merged cells in one document. A few attributes can create millions. */
const MAX_MERGED = 50_000;

/** The default width of the text on a page, in points. */
const TEXT_WIDTH = 451;

/** A cell of the source. */
export interface SourceCell extends Omit<RichCell, "merge"> {
  /** The number of rows that it covers, from 1; 0 means all rows that follow. */
  readonly rows: number;
  readonly width: Length | null;
}

/** A row of the source. */
export interface SourceRow {
  readonly header: boolean;
  /** The section of the row. Cells never extend into the next section. */
  readonly section: number;
  readonly cells: readonly SourceCell[];
}

/** How many more lower parts of merged cells one document may have. */
export interface MergeAllowance {
  merged: number;
}

/** Returns an allowance that is still unused. */
export function fullMergeAllowance(): MergeAllowance {
  return { merged: MAX_MERGED };
}

/** The rows of a table, assigned to columns, and the cells that exceed Word's maximum number of columns. */
export interface Grid {
  readonly rows: readonly RichRow[];
  readonly columns: number;
  readonly left: readonly SourceCell[];
}

/** The part of a column that is covered by a cell of an earlier row. */
interface Reach {
  /** The number of rows that the cell still covers, including the current one. */
  rows: number;
  readonly span: number;
}

/** Assigns cells to columns. Rows without any cell are removed. */
export function layOut(
  source: readonly SourceRow[],
  allowance: MergeAllowance,
  warnings: RichWarnings,
): Grid {
  const rows: RichRow[] = [];
  const left: SourceCell[] = [];
  let reaches = new Map<number, Reach>();
  let section = -1;
  let columns = 1;
  const remaining = rowsRemaining(source);
  for (const [index, row] of source.entries()) {
    if (row.section !== section) reaches = new Map();
    section = row.section;
    const { cells, width, rest } = layOutRow(row, reaches, remaining[index] ?? 1, allowance);
    left.push(...rest);
    columns = Math.max(columns, width);
    if (cells.length > 0) rows.push({ header: row.header, cells });
  }
  if (left.length > 0)
    warnings.add("markup_limit", "cells beyond column 63 were printed after the table");
  if (allowance.merged <= 0)
    warnings.add("markup_limit", "cells that span too many rows were cut off");
  return { rows, columns, left };
}

/** Returns, for each row, the number of remaining rows of its section, including the row itself. */
function rowsRemaining(source: readonly SourceRow[]): number[] {
  const counts: number[] = [];
  for (let index = source.length - 1; index >= 0; index -= 1) {
    const same = source[index]?.section === source[index + 1]?.section;
    counts[index] = same ? (counts[index + 1] ?? 0) + 1 : 1;
  }
  return counts;
}

function layOutRow(
  row: SourceRow,
  reaches: Map<number, Reach>,
  remaining: number,
  allowance: MergeAllowance,
): { cells: RichCell[]; width: number; rest: SourceCell[] } {
  const cells: RichCell[] = [];
  const rest: SourceCell[] = [];
  let column = passMerged(cells, 0, reaches, allowance);
  for (const source of row.cells) {
    if (column >= MAX_COLUMNS) {
      rest.push(source);
      continue;
    }
    const span = freeSpan(reaches, column, source.span);
    const wanted = source.rows === 0 ? remaining : Math.min(source.rows, remaining);
    const merges = wanted > 1 && allowance.merged > 0;
    // This row continues with the columns after the cell, so it does not encounter the cell again.
    if (merges) reaches.set(column, { rows: wanted - 1, span });
    const { background, vertical, blocks } = source;
    cells.push({ span, merge: merges ? "start" : "none", background, vertical, blocks });
    column = passMerged(cells, column + span, reaches, allowance);
  }
  for (const next of [...reaches.keys()].sort((a, b) => a - b)) {
    if (next < column) continue;
    cells.push({ ...EMPTY_CELL, span: next - column, merge: "none" });
    column = passMerged(cells, next, reaches, allowance);
  }
  return { cells, width: column, rest };
}

/** Adds the lower parts of the merged cells at a column. Returns the next free column. */
function passMerged(
  cells: RichCell[],
  from: number,
  reaches: Map<number, Reach>,
  allowance: MergeAllowance,
): number {
  let column = from;
  for (let reach = reaches.get(column); reach !== undefined; reach = reaches.get(column)) {
    cells.push({ ...EMPTY_CELL, span: reach.span, merge: "continue" });
    allowance.merged -= 1;
    reach.rows -= 1;
    if (reach.rows === 0 || allowance.merged <= 0) reaches.delete(column);
    column += reach.span;
  }
  return column;
}

const EMPTY_CELL: Omit<RichCell, "span" | "merge"> = {
  background: null,
  vertical: null,
  blocks: [],
};

/** Counts the free columns from a column on, up to `wanted`. */
function freeSpan(reaches: ReadonlyMap<number, Reach>, from: number, wanted: number): number {
  const end = Math.min(MAX_COLUMNS, from + Math.max(1, wanted));
  let column = from + 1;
  while (column < end && !reaches.has(column)) column += 1;
  return column - from;
}

/**
 * Returns the share of each column. Cells that cover one column set its share; the other columns divide the rest
 * equally. Shares that add up to more than 1 are scaled down.
 */
export function columnShares(rows: readonly SourceRow[], columns: number): number[] {
  const said: (number | undefined)[] = Array.from({ length: columns });
  for (const { cells } of rows.slice(0, 50)) {
    let column = 0;
    for (const { span, width } of cells.slice(0, columns)) {
      const share = shareOf(width);
      if (span === 1 && share !== null) said[column] ??= share;
      column += span;
    }
  }
  const known = said.slice(0, columns).filter((share) => share !== undefined);
  const sum = known.reduce((total, share) => total + share, 0);
  const missing = columns - known.length;
  // Columns without a value get at least half of an equal part.
  const rest = missing === 0 ? 0 : Math.max((1 - sum) / missing, 0.5 / columns);
  const total = sum + rest * missing;
  return Array.from({ length: columns }, (_, index) => (said[index] ?? rest) / total);
}

function shareOf(width: Length | null): number | null {
  if (width === null) return null;
  const share = "share" in width ? width.share : width.points / TEXT_WIDTH;
  return share > 0.005 && share <= 1.5 ? share : null;
}
