import type { RichList } from "./model.ts";

/** The names of the styles to look up. Files contain these names regardless of Word's language. */
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

/** The context for writing rich text: the formatting around the tag, and functions of the document. */
export interface RichContext {
  /**
   * The children of the `w:rPr` of the tag's run, as canonical XML. They apply to all text unless the HTML changes its
   * format.
   */
  readonly runProperties: string;
  /** The children of the `w:pPr` of the tag's paragraph, as canonical XML, without `w:sectPr` and `w:numPr`. */
  readonly paragraphProperties: string;
  /** The text size in half points, for runs that do not set one. Default: 22, as in Word. */
  readonly fontSize?: number;
  /** Returns the id of the template's style with this name, or null. */
  readonly style: (name: RichStyleName) => string | null;
  /** Returns a relationship id for a link target that `safeLink` has checked, or null where links are not possible. */
  readonly link: (url: string) => string | null;
  /**
   * Returns the content of a run for a picture of the requested size in EMU, where null means the natural size. Returns
   * null if the picture cannot be shown. In that case, the context has reported this, and the alternative text is
   * printed.
   */
  readonly image: (
    dataUri: string,
    size: { readonly width: number | null; readonly height: number | null },
    alt: string,
  ) => string | null;
  /**
   * Returns a numId for a list, or null if the document cannot have more lists. The list is numbered only on its own
   * level, from its start number. Called once for each ordered list, and once for all bullets with the same symbol.
   */
  readonly list: (list: RichList) => number | null;
  readonly warn: (code: "markup_limit", message: string) => void;
}
