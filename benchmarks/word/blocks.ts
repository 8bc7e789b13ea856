/**
 * What a template says, without the syntax of any engine: one description gives the templates of all of
 * them.
 */
export interface TemplateText {
  readonly header: readonly Piece[];
  readonly footer: readonly Piece[];
  readonly body: readonly Block[];
}

/** A part of a paragraph: text, or a tag. */
export type Piece = string | Tag;

/** A tag that prints the value of a key: of the data, or of the item of a loop. */
export interface Tag {
  readonly prints: "text" | "image" | "html";
  readonly key: string;
  /** The list that the loop around repeats; null outside of a loop. */
  readonly of: Loop | null;
}

/** A list of the data, and the name of its items where a syntax wants one. */
export interface Loop {
  readonly list: string;
  readonly item: string;
}

/** What stands in the body, in order. */
export type Block =
  | {
      readonly block: "paragraph";
      readonly pieces: readonly Piece[];
      readonly style?: ParagraphStyle;
      readonly bold?: boolean;
      /** Its tags are split over runs, as Word does when a text is edited. */
      readonly split?: boolean;
    }
  | {
      /** A table with one row of headings and one row that repeats. */
      readonly block: "table";
      readonly headings: readonly string[];
      /** How wide the columns are beside each other; absent when all are as wide. */
      readonly widths?: readonly number[];
      readonly loop: Loop;
      readonly cells: readonly (readonly Piece[])[];
    }
  | { readonly block: "condition"; readonly key: string; readonly pieces: readonly Piece[] }
  | { readonly block: "logo" };

/** The paragraph styles that templates use. */
export type ParagraphStyle = "Title" | "Heading1" | "ListBullet";

/** A tag that prints the value of a key as text. */
export function tag(key: string, of: Loop | null = null): Tag {
  return { prints: "text", key, of };
}

/** A paragraph of plain formatting. */
export function paragraph(...pieces: readonly Piece[]): Block {
  return { block: "paragraph", pieces };
}
