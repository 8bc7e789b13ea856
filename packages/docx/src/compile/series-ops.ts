import { type ColumnsOp, columnsOp } from "../program/column-op.ts";
import type { Op } from "../program/ops.ts";
import type { TextOp } from "../program/tag-ops.ts";
import type { ComputedNumber, TagNode } from "../template/nodes/nodes.ts";
import { originOf } from "./text-op.ts";

/** Returns the op of a number that depends on how many times columns, or series of a chart, are repeated. */
export function numberOp(computed: ComputedNumber): ColumnsOp {
  const op = columnsOp(computed);
  const series = computed.kind === "span" ? computed.series : undefined;
  return series === undefined ? op : { ...op, series: originOf(series) };
}

/** Returns the op of a tag that becomes a point of a chart; null for a tag that prints its value. */
export function chartOpOf({ point }: TagNode, value: TextOp): Op | null {
  return point === undefined ? null : { op: "chartPoint", value, attributes: point };
}
