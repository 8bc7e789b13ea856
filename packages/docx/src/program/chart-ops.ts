import type { TextOp } from "./tag-ops.ts";

/** A point of a chart with its number, for the current item. Without a number, the chart has a gap. */
export interface ChartPointOp {
  readonly op: "chartPoint";
  readonly value: TextOp;
  /** The attributes of the point, apart from its index. */
  readonly attributes: string;
}
