import type { SeriesColorOp } from "../program/chart-ops.ts";
import { type ColumnsOp, columnsOp } from "../program/column-op.ts";
import { nodeXml } from "../program/flow.ts";
import type { Op } from "../program/ops.ts";
import type { TextOp } from "../program/tag-ops.ts";
import type { ComputedNumber, ElementNode, SeriesColor, TagNode } from "../template/nodes/nodes.ts";
import { withModifiers } from "./look-op.ts";
import { originOf } from "./text-op.ts";

/** Returns the op of a number that depends on how many times columns, or series of a chart, are repeated. */
export function numberOp(computed: ComputedNumber): ColumnsOp {
  const op = columnsOp(computed);
  const series = computed.kind === "span" ? computed.series : undefined;
  return series === undefined ? op : { ...op, series: originOf(series) };
}

/** Returns the op of a color in a series of a chart. */
export function seriesColorOp(node: ElementNode, { tag, made, free }: SeriesColor): SeriesColorOp {
  return {
    op: "chartColor",
    of: "series",
    tags: tag === null ? [] : [withModifiers(tag)],
    original: nodeXml(node),
    changes: node.children.map(nodeXml).join(""),
    made: made === null ? null : numberOp(made),
    free,
  };
}

/** Returns the op of a tag that becomes a point of a chart, or colors one; null for a tag that prints its value. */
export function chartOpOf(tag: TagNode, value: TextOp): Op | null {
  const { point, pointColor } = tag;
  if (point !== undefined) return { op: "chartPoint", value, attributes: point };
  if (pointColor === undefined) return null;
  const { outline } = pointColor;
  const xml = outline === null ? "" : nodeXml(outline);
  return { op: "chartColor", of: "point", tags: [withModifiers(tag)], outline: xml };
}
