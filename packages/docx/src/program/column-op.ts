import type { ComputedNumber, TagNode } from "../template/nodes/nodes.ts";
import type { Op } from "./ops.ts";

export type ColumnsOp = Extract<Op, { op: "columns" }>;

/** The width of a cell that covers repeated columns and others: `base` minus the widths of missing columns. */
export interface RestOp extends ColumnsOp {
  /** For each entry of `repeated`, the width of its columns. */
  readonly widths: readonly number[];
}

/** Whether an op computes the width that remains if columns are missing. */
export function isRestOp(op: ColumnsOp): op is RestOp {
  return "widths" in op;
}

/** Returns the op for a number that depends on how many times columns are repeated. */
export function columnsOp(computed: ComputedNumber): ColumnsOp | RestOp {
  switch (computed.kind) {
    case "share":
      return {
        op: "columns",
        compute: "share",
        base: computed.whole,
        repeated: [{ columns: 1, ...listOf(computed.tag) }],
      };
    case "span":
      return {
        op: "columns",
        compute: "sum",
        base: computed.others,
        repeated: computed.repeated.map(({ columns, tag }) => ({
          columns,
          ...listOf(tag),
        })),
      };
    case "rest":
      return {
        op: "columns",
        compute: "share",
        base: computed.whole,
        repeated: computed.repeated.map(({ tag }) => ({
          columns: 1,
          ...listOf(tag),
        })),
        widths: computed.repeated.map(({ width }) => width),
      };
  }
}

function listOf({
  directive,
}: TagNode): Pick<ColumnsOp["repeated"][number], "collection" | "shape"> {
  if (directive.kind !== "tablecolumn") throw new Error("Only columns have such numbers.");
  const { collection, shape } = directive;
  return { collection, shape };
}
