/**
 * The content of a template without the syntax of any engine. One description produces the templates of all
 * engines.
 */
export interface TemplateText {
  readonly header: readonly Piece[];
  readonly footer: readonly Piece[];
  readonly body: readonly Block[];
}

/** A part of a paragraph: text, or a tag. */
export type Piece = string | Tag;

/** A tag that prints the value of a key in the data, or in the item of a loop. */
export interface Tag {
  readonly prints: "text" | "image" | "html";
  readonly key: string;
  /** The list that the surrounding loop repeats; null outside of a loop. */
  readonly of: Loop | null;
}

/** A list in the data, and the name of its items where a syntax needs one. */
export interface Loop {
  readonly list: string;
  readonly item: string;
}

/** The blocks of the body, in order. */
export type Block =
  | {
      readonly block: "paragraph";
      readonly pieces: readonly Piece[];
      readonly style?: ParagraphStyle;
      readonly bold?: boolean;
      /** Whether its tags are split over runs, as Word does when text is edited. */
      readonly split?: boolean;
    }
  | {
      /** A table with one row of headings and one row that repeats. */
      readonly block: "table";
      readonly headings: readonly string[];
      /** Relative widths of the columns; absent when all are equal. */
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

/** A paragraph without special formatting. */
export function paragraph(...pieces: readonly Piece[]): Block {
  return { block: "paragraph", pieces };
}
