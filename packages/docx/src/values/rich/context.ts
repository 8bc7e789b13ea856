import type { RichList } from "./model.ts";

/** The styles that are looked up, by the names that they have in files regardless of Word's language. */
export type RichStyleName =
  | "heading 1"
  | "heading 2"
  | "heading 3"
  | "heading 4"
  | "heading 5"
  | "heading 6"
  | "list paragraph"
  | "quote"
  | "table grid"
  | "hyperlink";

/** What the writer of rich text needs: the surroundings of the tag, and functions of the document. */
export interface RichContext {
  /**
   * The children of the `w:rPr` of the tag's run, as canonical XML: the look of text unless the HTML changes
   * it.
   */
  readonly runProperties: string;
  /** The children of the `w:pPr` of the tag's paragraph, as canonical XML, without `w:sectPr` and `w:numPr`. */
  readonly paragraphProperties: string;
  /** The text size in half points, for runs that do not set one. Default: 22, as in Word. */
  readonly fontSize?: number;
  /** The id of the template's style with this name; null if it has none. */
  readonly style: (name: RichStyleName) => string | null;
  /** A relationship id for the target of a link, already checked by `safeLink`; null if links are not possible here. */
  readonly link: (url: string) => string | null;
  /**
   * The content of a run for a picture in the requested size in EMU (null: its natural size). Null if the picture
   * cannot be shown, which the context has reported; the alternative text is then printed.
   */
  readonly image: (
    dataUri: string,
    size: { readonly width: number | null; readonly height: number | null },
    alt: string,
  ) => string | null;
  /**
   * A numId for a list, which is numbered only on its level and begins at its start number; null if the document cannot
   * have more lists. Called once for each ordered list, and once for all bullets with the same sign.
   */
  readonly list: (list: RichList) => number | null;
  readonly warn: (code: "markup_limit", message: string) => void;
}
