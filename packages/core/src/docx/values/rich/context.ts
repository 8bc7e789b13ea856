import type { RichList } from "./model.ts";

/** The styles that are looked up, by the names that they have in every language of Word's files. */
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

/** What the writer must know of the place where rich text goes, and asks of the document. */
export interface RichContext {
  /** XML of the children of the `w:rPr` of the tag's run, as canonical XML: what text looks like unless the HTML says otherwise. */
  readonly runProperties: string;
  /** XML of the children of the `w:pPr` of the tag's paragraph, without `w:sectPr` and `w:numPr`. */
  readonly paragraphProperties: string;
  /** The size of the text, in half points, where its run says none. Default: 22, as in Word. */
  readonly fontSize?: number;
  /** The id of the template's style of a name, or null when it has none. */
  readonly style: (name: RichStyleName) => string | null;
  /** A relationship id for a link's target, which has passed `safeLink`; null where no link can stand. */
  readonly link: (url: string) => string | null;
  /**
   * What stands in a run for a picture, in the wanted size in EMU (null: its natural one). Null when
   * it cannot be shown, of which the context has told; then the alternative text is printed.
   */
  readonly image: (
    dataUri: string,
    size: { readonly width: number | null; readonly height: number | null },
    alt: string,
  ) => string | null;
  /**
   * A numId for a list, which is counted at its level only and begins at its start; null when the document
   * can hold no more lists. Called once for each ordered list, and once for all bullets of the same sign.
   */
  readonly list: (list: RichList) => number | null;
  readonly warn: (code: "markup_limit", message: string) => void;
}
