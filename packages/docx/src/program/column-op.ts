import type { Expression, PathExpression } from "../language/grammar/expression.ts";
import type { ComputedNumber, TagNode } from "../template/nodes/nodes.ts";
import type { TagOrigin } from "./tag-ops.ts";

/** A number that depends on the number of columns of a `tablecolumn`. */
export interface ColumnsOp {
  readonly op: "columns";
  /** `sum`: the columns that a merged cell covers. `share`: the remaining width for one column. */
  readonly compute: "sum" | "share";
  /** The number of columns that are not repeated, or the total width. */
  readonly base: number;
  readonly repeated: readonly {
    readonly columns: number;
    readonly collection: PathExpression;
    readonly shape: Expression | null;
  }[];
  /** For a number in a series of a chart that repeats: the tag of its loop. The index of the repetition is added. */
  readonly series?: TagOrigin;
}

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
