/** What tags change in cells, columns, boxes and paragraphs. It is noted at their elements. `Tag` is a `TagNode`. */
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

/** The list and the level of a numbered paragraph. */
export interface Numbering {
  readonly numId: number;
  readonly level: number;
}

/** The style of a paragraph if tags may choose it. */
export interface StyleChoice<Tag> {
  readonly tags: readonly Tag[];
  /** The id of the style in the template; null if the paragraph has no style there. */
  readonly style: string | null;
  /** The list and level of the paragraph in the template. The list may be a copy of the one of its style. */
  readonly numbering: Numbering | null;
}

/** Where the repetitions of a block are printed without separators, because the block is the whole text. */
export type Joined = "list item" | "cell" | JoinedWords;

/** A block within a paragraph whose repetitions begin and end with a value of the item. */
export interface JoinedWords {
  /** The keys of the two values in the item; empty for the item itself. */
  readonly first: readonly string[];
  readonly last: readonly string[];
  /** The last tag of a repetition, with a separator. */
  readonly separated: string;
}

/** A loop, by the name of its item. */
export interface InnerLoop {
  readonly alias: string;
  /** The tag of the loop, as written. */
  readonly text: string;
}
