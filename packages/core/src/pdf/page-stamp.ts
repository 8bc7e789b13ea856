/** Where on a page a stamp stands. */
export type StampPlace =
  | "top-left"
  | "top"
  | "top-right"
  | "left"
  | "center"
  | "right"
  | "bottom-left"
  | "bottom"
  | "bottom-right";

/** A text that is printed on pages, over what they have. Lengths are in points. */
export interface PageStamp {
  /** `{page}` and `{pages}` are the number of the page, from 1, and of all pages. */
  readonly text: string;
  /** Only these pages, for example `"1-3,5,8-"`. Default: all. */
  readonly pages?: string | undefined;
  /** An edge, a corner or the middle of the page as a reader sees it. Default `bottom`. */
  readonly place?: StampPlace | undefined;
  /**
   * How far from the edges of that place it stands: `x` from left or right, `y` from below or above. Where it
   * is centred, `x` moves it to the right and `y` up. Default 28 (1 cm) from an edge, and 0.
   */
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  /** Of the font, from 1 to 500. Default 10. */
  readonly size?: number | undefined;
  /** Red, green and blue, for example `#ff0000`. Default black. */
  readonly color?: string | undefined;
  /** From 0 to 1. Default 1. */
  readonly opacity?: number | undefined;
  /** In degrees against the clock, around its middle when it is centred, else around its corner. Default 0. */
  readonly rotate?: number | undefined;
}
