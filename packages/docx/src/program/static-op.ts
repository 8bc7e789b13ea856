import type { StaticPiece } from "../deflate/pieces.ts";

/**
 * How a piece of XML ends: with a paragraph, as a cell must; or with a table, which must not be followed directly by
 * another table. Range marks, ends of content controls and spaces may follow. `unchanged`: the piece has nothing else.
 */
export type Ending = "paragraph" | "table" | "other" | "unchanged";

/** The effects of static text on the page. */
export interface StaticEffects {
  /** Whether the text itself has visible content. */
  readonly visible: boolean;
  /** Whether a table row begins in it. */
  readonly row: boolean;
  /** Whether a table cell begins in it. */
  readonly cell: boolean;
  /** Whether a paragraph, a table or a row begins in it. */
  readonly block: boolean;
  readonly ending: Ending;
  /** The ids of the relationships that it uses; null if it uses none. */
  readonly relationships: readonly string[] | null;
}

/** Template text, as XML for the output. */
export interface StaticOp extends StaticEffects {
  readonly op: "static";
  readonly xml: string;
  /** The text in the form for compression; absent until the program is ready to run. */
  readonly piece?: StaticPiece;
}
