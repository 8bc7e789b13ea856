import type { ColumnsOp } from "./column-op.ts";
import type { LookOp, TextOp } from "./tag-ops.ts";

/** A point of a chart with its number, for the current item. Without a number, the chart has a gap. */
export interface ChartPointOp {
  readonly op: "chartPoint";
  readonly value: TextOp;
  /** The attributes of the point, apart from its index. */
  readonly attributes: string;
}

/**
 * A color in a series of a chart. The last tag that sets a color wins. Otherwise, the first series of a loop has the
 * color of the template, and further series have colors of the theme.
 */
export interface SeriesColorOp {
  readonly op: "chartColor";
  readonly of: "series";
  readonly tags: LookOp["tags"];
  /** The color of the template. */
  readonly original: string;
  /** Its content, such as its transparency. */
  readonly changes: string;
  /** The number of series that loops have made, up to this one; null if the series does not repeat. */
  readonly made: ColumnsOp | null;
  /** The numbers of the theme's accents that no series of the template uses. */
  readonly free: readonly number[];
}

/** The look of a point of a chart, for the current item, if the last of the tags sets a color. `outline`: as XML. */
export interface PointColorOp {
  readonly op: "chartColor";
  readonly of: "point";
  readonly tags: LookOp["tags"];
  readonly outline: string;
}
