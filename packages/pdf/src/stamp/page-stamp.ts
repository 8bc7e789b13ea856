/** The position of a stamp on a page. */
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

/** Text to print on pages, on top of their content. Lengths are in points. */
export interface PageStamp {
  /** `{page}` is replaced by the page number, from 1, and `{pages}` by the number of pages. */
  readonly text: string;
  /** The pages to stamp, for example `"1-3,5,8-"`. Default: all. */
  readonly pages?: string | undefined;
  /** An edge, a corner or the middle of the page as a reader sees it. Default `bottom`. */
  readonly place?: StampPlace | undefined;
  /**
   * Distance from the left or right edge, whichever `place` names. For `top`, `center` and `bottom`, moves the stamp to
   * the right by this distance. From -20,000 to 20,000. Default 28 (1 cm) from an edge, otherwise 0.
   */
  readonly x?: number | undefined;
  /**
   * Distance from the bottom or top edge, whichever `place` names. For `left`, `center` and `right`, moves the stamp up
   * by this distance. From -20,000 to 20,000. Default 28 (1 cm) from an edge, otherwise 0.
   */
  readonly y?: number | undefined;
  /** Font size, from 1 to 500. Default 10. */
  readonly size?: number | undefined;
  /** An RGB colour, for example `#ff0000`. Default black. */
  readonly color?: string | undefined;
  /** From 0 to 1. Default 1. */
  readonly opacity?: number | undefined;
  /**
   * Rotation in degrees counterclockwise, around the middle of the stamp if it is centred, otherwise around its corner.
   * From -360 to 360. Default 0.
   */
  readonly rotate?: number | undefined;
}
