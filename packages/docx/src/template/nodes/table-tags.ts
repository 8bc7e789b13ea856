/** What tags change in cells, columns and boxes. It is noted at their elements. `Tag` is a `TagNode`. */
import type { Box } from "../../fit/box.ts";
import type { Margins } from "../../fit/text-styles.ts";

/** The tags that make a cell cover the cells to its right. Of several tags with `span`, the last that applies wins. */
export interface CoverTags<Tag> {
  readonly span: Tag[];
  merge: Tag | null;
  /** Whether the cell contains nothing but the plain text of `merge`, so that cells from other template cells may be equal. */
  isAlone: boolean;
}

/**
 * The columns whose width an element has. `column`: a `w:gridCol`, with its number from 0, the tags that set its width and
 * the width of the whole table in the template, in twentieths of a point. `cell`: the width of a cell, or of the space
 * before or after the cells of a row. `table`: the width or the layout of the table. `turns`: the number of `tablecolumn`
 * blocks around the element.
 */
export type Sizing<Tag> =
  | {
      readonly kind: "column";
      readonly column: number;
      readonly turns: number;
      readonly tags: Tag[];
      readonly whole: number;
    }
  | {
      readonly kind: "cell";
      readonly from: number;
      readonly to: number;
      readonly turns: number;
    }
  | { readonly kind: "table" };

/** A cell or a text box in which text shrinks until it fits. */
export interface ShrunkBox<Tag> {
  readonly plan: BoxPlan;
  /** The first tag with `shrink` in it. */
  readonly first: Tag;
  /** The tags that shrink all of its text. The last that applies wins. */
  readonly tags: Tag[];
  /** Whether another form of the text box, which current programs show, has the same text. */
  readonly isTwin: boolean;
}

/**
 * A cell or a text box as far as the template itself describes it: the margins of a cell may come from the style of its
 * table.
 */
export interface BoxPlan extends Omit<Box, "margins"> {
  readonly margins: Partial<Margins>;
}
