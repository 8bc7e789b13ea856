import type { Op } from "../../program/ops.ts";
import type { TextOp } from "../../program/tag-ops.ts";
import { evaluateTag, type PrintContext, printFound } from "../evaluate/print-tag.ts";

type MergeOp = Extract<Op, { op: "merge" }>;

interface Cell {
  readonly group: number | null;
  readonly text: string | null;
}

/** Tracks which cells of the written rows are merged with the cells above them. */
export class MergedRows {
  /** For each column: the group of merged cells in the last row, null for other cells, and the text of the cell. */
  readonly #cells = new Map<number, Cell>();

  /**
   * Returns the XML for the next cell of a column. `text`: the text that the cell and the one above must have in common;
   * null if the text does not matter.
   */
  xml({ column, group, above }: MergeOp, text: string | null): string {
    const last = this.#cells.get(column);
    const open = last?.group ?? null;
    const isOpen = open !== null && above !== null && open >= above[0] && open <= above[1];
    if (isOpen && last?.text === text) return "<w:vMerge/>";
    this.#cells.set(column, { group, text });
    return group === null ? "" : '<w:vMerge w:val="restart"/>';
  }
}

/** Returns the text that decides whether a cell is merged with another one; null if the template decides. */
export function mergeText(by: TextOp | undefined, context: PrintContext): string | null {
  if (by === undefined) return null;
  const found = evaluateTag(by, context);
  if (found.kind !== "value") return "";
  return printFound(found.op, found.value, context) ?? "";
}
