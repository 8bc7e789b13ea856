import type { Margins, TablePlace } from "./text-styles.ts";

/** The cell or the text box in which a text must fit. Lengths are in twentieths of a point. */
export interface Box {
  /** The width with its margins; null if the `w:tcW` in the output decides, because columns repeat. */
  readonly width: number | null;
  /** The height with its margins; null if it grows with the text. Each paragraph must then fit on one line. */
  readonly height: number | null;
  readonly margins: Margins;
  /** Whether the text is broken into lines. */
  readonly wraps: boolean;
  /** Whether the form of the text box leaves less room, which is not known. */
  readonly isRough: boolean;
  /** The table of a cell; null for a text box. */
  readonly table: TablePlace | null;
}
