import type { TablePlace } from "./surroundings.ts";
import { attributeOf } from "./xml.ts";

/** The state of a table while it is read. */
export interface Table {
  style: string | null;
  usesFirstRow: boolean;
  usesFirstColumn: boolean;
  /** Number of rows that have started. */
  rows: number;
  /** Number of cells of the row that have started. */
  cells: number;
}

/** Creates the initial state of a table. */
export function newTable(): Table {
  return { style: null, usesFirstRow: true, usesFirstColumn: true, rows: 0, cells: 0 };
}

/** Returns the position of the next text in a table; null outside tables and in tables without a style. */
export function tablePlace(table: Table | undefined): TablePlace | null {
  if (table === undefined || table.style === null) return null;
  return {
    style: table.style,
    firstRow: table.usesFirstRow && table.rows === 1,
    firstColumn: table.usesFirstColumn && table.cells === 1,
  };
}

/** Reads a `w:tblLook`. Older versions of Word write bits, newer ones a separate attribute for each. */
export function readLook(tag: string, table: Table): void {
  const bits = Number.parseInt(attributeOf(tag, "w:val") ?? "0", 16);
  const isOn = (name: string, bit: number): boolean => {
    const value = attributeOf(tag, name);
    return value === null ? (bits & bit) !== 0 : value !== "0" && value !== "false";
  };
  table.usesFirstRow = isOn("w:firstRow", 0x20);
  table.usesFirstColumn = isOn("w:firstColumn", 0x80);
}
