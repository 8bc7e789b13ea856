import type { TablePlace } from "./surroundings.ts";
import { attributeOf } from "./xml.ts";

/** A table that is being read. */
export interface Table {
  style: string | null;
  usesFirstRow: boolean;
  usesFirstColumn: boolean;
  /** How many rows have begun. */
  rows: number;
  /** How many cells of the row have begun. */
  cells: number;
}

/** A table of which nothing was read. */
export function newTable(): Table {
  return { style: null, usesFirstRow: true, usesFirstColumn: true, rows: 0, cells: 0 };
}

/** Where in a table the next text stands; null outside of tables, and in those without a style. */
export function tablePlace(table: Table | undefined): TablePlace | null {
  if (table === undefined || table.style === null) return null;
  return {
    style: table.style,
    firstRow: table.usesFirstRow && table.rows === 1,
    firstColumn: table.usesFirstColumn && table.cells === 1,
  };
}

/** Reads a `w:tblLook`: Word wrote bits at first, later a word for each. */
export function readLook(tag: string, table: Table): void {
  const bits = Number.parseInt(attributeOf(tag, "w:val") ?? "0", 16);
  const isOn = (name: string, bit: number): boolean => {
    const value = attributeOf(tag, name);
    return value === null ? (bits & bit) !== 0 : value !== "0" && value !== "false";
  };
  table.usesFirstRow = isOn("w:firstRow", 0x20);
  table.usesFirstColumn = isOn("w:firstColumn", 0x80);
}
