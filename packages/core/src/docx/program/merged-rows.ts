import type { Op } from "./ops.ts";

/** Which cells of the rows that were written are merged with the ones above them. */
export class MergedRows {
  /** By column, the group of merged cells that the last row is of; null where its cell is none. */
  readonly #groups = new Map<number, number | null>();

  /** What stands for the next cell of a column. */
  xml({ column, group, above }: Extract<Op, { op: "merge" }>): string {
    const open = this.#groups.get(column) ?? null;
    if (open !== null && above !== null && open >= above[0] && open <= above[1]) {
      return "<w:vMerge/>";
    }
    this.#groups.set(column, group);
    return group === null ? "" : '<w:vMerge w:val="restart"/>';
  }
}
