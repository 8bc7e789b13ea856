/**
 * The content of a template without the syntax of any engine. The templates of all engines are produced from one
 * description.
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
  /** The loop that contains the tag; null if the tag is outside of loops. */
  readonly of: Loop | null;
}

/** A list in the data, and the name of its items for syntaxes that need one. */
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
      /** Whether the tags are split over runs, as Word does when text is edited. */
      readonly split?: boolean;
    }
  | {
      /** A table with one row of headings and one row that repeats. */
      readonly block: "table";
      readonly headings: readonly string[];
      /** Relative widths of the columns; absent if all widths are equal. */
      readonly widths?: readonly number[];
      readonly loop: Loop;
      readonly cells: readonly (readonly Piece[])[];
    }
  | { readonly block: "condition"; readonly key: string; readonly pieces: readonly Piece[] }
  | { readonly block: "logo" };

/** The paragraph styles that templates use. */
export type ParagraphStyle = "Title" | "Heading1" | "ListBullet";

/** Returns a tag that prints the value of a key as text. */
export function tag(key: string, of: Loop | null = null): Tag {
  return { prints: "text", key, of };
}

/** Returns a paragraph without special formatting. */
export function paragraph(...pieces: readonly Piece[]): Block {
  return { block: "paragraph", pieces };
}
