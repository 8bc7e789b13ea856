/** The look of text. Undefined properties keep the formatting around the tag. */
export interface RichFormat {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strike?: boolean;
  /** `"baseline"` cancels the other two. */
  readonly vertical?: "subscript" | "superscript" | "baseline";
  /** The color of the text: six hexadecimal digits in uppercase. */
  readonly color?: string;
  /** The color behind the text, in the same form. */
  readonly background?: string;
  readonly size?: FontSize;
  /** The name of one font family. */
  readonly font?: string;
  /** The symbol font of text in the source, such as Wingdings. Never set in a {@link RichDocument}. */
  readonly signs?: string | undefined;
  readonly caps?: "all" | "small" | "none";
}

/** A size in points, or as a factor of the size that the text would otherwise have. */
export type FontSize =
  | { readonly points: number; readonly scale?: never }
  | { readonly points?: never; readonly scale: number };

/** Text with a single look. A line feed is a line break. */
export interface RichText {
  readonly kind: "text";
  readonly text: string;
  readonly format: RichFormat;
  /** A checked target (see `safeLink`), or null. */
  readonly href: string | null;
}

/** A picture in the running text. */
export interface RichImage {
  readonly kind: "image";
  readonly dataUri: string;
  /** In EMU (914,400 per inch), or null if the source does not set it. */
  readonly width: number | null;
  readonly height: number | null;
  readonly alt: string;
  readonly format: RichFormat;
  readonly href: string | null;
}

/** The content of a paragraph. */
export type RichRun = RichText | RichImage;

/** The kind of markers of a list's items. */
export type ListKind =
  | "bullet"
  | "decimal"
  | "lower-letter"
  | "upper-letter"
  | "lower-roman"
  | "upper-roman";

/** A list of items with common numbering. Each list is a separate object, compared by identity. */
export interface RichList {
  readonly kind: ListKind;
  /**
   * The form of its markers: the bullet character, or text with one `%` for the number. Null for the default: the
   * bullet of the level, or the text `%.`.
   */
  readonly text: string | null;
  /** The number of its first item. */
  readonly start: number;
  /** The number of surrounding lists, 0 to 8. */
  readonly level: number;
}

/** The position of a paragraph in a list. */
export interface RichItem {
  readonly list: RichList;
  /** The number of the item. */
  readonly number: number;
  /** Whether the item began in an earlier block: the paragraph then has the indent, but no marker. */
  readonly continuation: boolean;
}

/** The alignment of lines. `"start"` depends on the direction of the paragraph. */
export type Alignment = "start" | "end" | "left" | "right" | "center" | "justify";

/** Properties that the blocks within one element share. */
export interface BlockPlace {
  /** The number of surrounding block quotes. */
  readonly quote: number;
  /** In twentieths of a point, in addition to the indents of quotes and lists. */
  readonly indent: number;
  /** The level of the surrounding list, from 1; 0 outside lists. */
  readonly listDepth: number;
}

/** A paragraph. */
export interface RichParagraph extends BlockPlace {
  readonly kind: "paragraph";
  /** The level of a heading, 1 to 6, or 0 for other paragraphs. */
  readonly heading: number;
  readonly item: RichItem | null;
  readonly align: Alignment | null;
  /** The writing direction, or null if the source does not set it. */
  readonly direction: "ltr" | "rtl" | null;
  readonly runs: readonly RichRun[];
}

/** A cell, or the lower part of a cell from an earlier row (which has no blocks). */
export interface RichCell {
  /** The number of columns that it covers, at least 1. */
  readonly span: number;
  /** Whether it continues in the next row, or began in an earlier one. */
  readonly merge: "none" | "start" | "continue";
  readonly background: string | null;
  readonly vertical: "top" | "center" | "bottom" | null;
  readonly blocks: readonly RichBlock[];
}

/** A row. Its cells fill the columns from the first one, but not always all of them. */
export interface RichRow {
  /** Whether the row is repeated at the top of each page. */
  readonly header: boolean;
  readonly cells: readonly RichCell[];
}

/** A table with at least one row. */
export interface RichTable extends BlockPlace {
  readonly kind: "table";
  /** The share of each column in the width. The shares add up to 1. There are at most 63 columns, as in Word. */
  readonly columns: readonly number[];
  readonly rows: readonly RichRow[];
  readonly borders: boolean;
  /** In twentieths of a point or as a share of the available width, or null for the whole width. */
  readonly width: { readonly twips: number } | { readonly share: number } | null;
  readonly direction: "ltr" | "rtl" | null;
}

/** A line across the page. */
export interface RichRule extends BlockPlace {
  readonly kind: "rule";
}

/** A block of the document. */
export type RichBlock = RichParagraph | RichTable | RichRule;

/** A warning about a value. The message never quotes the value, but may name elements. */
export interface RichWarning {
  readonly code: RichWarningCode;
  readonly message: string;
}

/** The codes of warnings about a rich text value. */
export type RichWarningCode =
  | "unsupported_markup"
  | "dropped_markup"
  | "literal_markup"
  | "lost_lines"
  | "lost_markdown"
  | "escaped_markup"
  | "markup_limit"
  | "unsafe_link"
  | "external_image"
  | "forbidden_character";

/** A rich text value, ready to be written. */
export interface RichDocument {
  readonly blocks: readonly RichBlock[];
  /** Whether the document is running text: at most one paragraph, which continues the paragraph of the tag. */
  readonly inline: boolean;
  /** Each kind of warning occurs once. */
  readonly warnings: readonly RichWarning[];
}

/** Maximum level of lists that Word can count, from 1. */
export const LIST_LEVELS = 9;

/** The indent of a list's items relative to the list around it, in twentieths of a point. */
export const LIST_INDENT = 720;
