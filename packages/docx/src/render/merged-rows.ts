import type { Op } from "../program/ops.ts";

/** Tracks which cells of the written rows are merged with the cells above them. */
export class MergedRows {
  /** For each column, the group of merged cells in the last row, or null for other cells. */
  readonly #groups = new Map<number, number | null>();

  /** Returns the XML for the next cell of a column. */
  xml({ column, group, above }: Extract<Op, { op: "merge" }>): string {
    const open = this.#groups.get(column) ?? null;
    if (open !== null && above !== null && open >= above[0] && open <= above[1]) {
      return "<w:vMerge/>";
    }
    this.#groups.set(column, group);
    return group === null ? "" : '<w:vMerge w:val="restart"/>';
  }
}
