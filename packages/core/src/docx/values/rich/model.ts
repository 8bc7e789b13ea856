/** How text looks. What is undefined was not said: there the formatting around the tag stays. */
export interface RichFormat {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strike?: boolean;
  /** `"baseline"` undoes the other two. */
  readonly vertical?: "subscript" | "superscript" | "baseline";
  /** Six hexadecimal digits, upper case. */
  readonly color?: string;
  /** The colour behind the text, as above. */
  readonly background?: string;
  readonly size?: FontSize;
  /** The name of one font family. */
  readonly font?: string;
  /** The symbol font, such as Wingdings, of a text in the source. The text of a document has none. */
  readonly signs?: string | undefined;
  readonly caps?: "all" | "small" | "none";
}

/** A size in points, or as a factor of the size that the text would have had. */
export type FontSize =
  | { readonly points: number; readonly scale?: never }
  | { readonly points?: never; readonly scale: number };

/** Text of one look. A line feed is a line break, a tab is a tab. */
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
  /** In EMU, 914,400 to the inch; null when not said. */
  readonly width: number | null;
  readonly height: number | null;
  readonly alt: string;
  readonly format: RichFormat;
  readonly href: string | null;
}

/** What stands in a paragraph. */
export type RichRun = RichText | RichImage;

/** What marks the items of a list. */
export type ListKind =
  | "bullet"
  | "decimal"
  | "lower-letter"
  | "upper-letter"
  | "lower-roman"
  | "upper-roman";

/** Items that are counted together. Identity counts: another list is another object. */
export interface RichList {
  readonly kind: ListKind;
  /**
   * The form of its markers: the sign of a bullet, else a text with one `%` in the place of the number.
   * Null for the default: the bullet of the level, or `%.`
   */
  readonly text: string | null;
  /** The number of its first item. */
  readonly start: number;
  /** How many lists are around it, 0 to 8. */
  readonly level: number;
}

/** The place of a paragraph in a list. */
export interface RichItem {
  readonly list: RichList;
  /** The number of the item. */
  readonly number: number;
  /** Whether the item began in an earlier block: then the paragraph has no marker, but its indent. */
  readonly continuation: boolean;
}

/** Where lines stand; `"start"` is where those of the paragraph's direction begin. */
export type Alignment = "start" | "end" | "left" | "right" | "center" | "justify";

/** What the blocks within one element have in common. */
export interface BlockPlace {
  /** How many block quotes are around it. */
  readonly quote: number;
  /** In twentieths of a point, in addition to what quotes and lists indent. */
  readonly indent: number;
  /** The level of the list around it, from 1; 0 outside of lists. */
  readonly listDepth: number;
}

/** A paragraph. */
export interface RichParagraph extends BlockPlace {
  readonly kind: "paragraph";
  /** 1 to 6; 0 for no heading. */
  readonly heading: number;
  readonly item: RichItem | null;
  readonly align: Alignment | null;
  /** The direction of writing; null when not said. */
  readonly direction: "ltr" | "rtl" | null;
  readonly runs: readonly RichRun[];
}

/** A cell, or the lower part of one that began in a row above (then without blocks). */
export interface RichCell {
  /** How many columns it takes, from 1. */
  readonly span: number;
  /** Whether it goes on in the next row, or began in one above. */
  readonly merge: "none" | "start" | "continue";
  readonly background: string | null;
  readonly vertical: "top" | "center" | "bottom" | null;
  readonly blocks: readonly RichBlock[];
}

/** A row: its cells fill the columns from the first one, perhaps not up to the last one. */
export interface RichRow {
  /** Whether the row is repeated at the top of each page. */
  readonly header: boolean;
  readonly cells: readonly RichCell[];
}

/** A table of at least one row. */
export interface RichTable extends BlockPlace {
  readonly kind: "table";
  /** The share of each column; they add up to 1. At most 63, as in Word. */
  readonly columns: readonly number[];
  readonly rows: readonly RichRow[];
  readonly borders: boolean;
  /** Twentieths of a point, a share of the width, or null for the whole width. */
  readonly width: { readonly twips: number } | { readonly share: number } | null;
  readonly direction: "ltr" | "rtl" | null;
}

/** A line across the page. */
export interface RichRule extends BlockPlace {
  readonly kind: "rule";
}

/** What stands between blocks of the document. */
export type RichBlock = RichParagraph | RichTable | RichRule;

/** What is worth telling about a value. The message never quotes it, but may name elements. */
export interface RichWarning {
  readonly code: RichWarningCode;
  readonly message: string;
}

/** What can be told of a value of rich text. */
export type RichWarningCode =
  | "unsupported_markup"
  | "dropped_markup"
  | "literal_markup"
  | "markup_limit"
  | "unsafe_link"
  | "external_image"
  | "forbidden_character";

/** A value of rich text, ready to be written. */
export interface RichDocument {
  readonly blocks: readonly RichBlock[];
  /** Whether it holds no block: then it has at most one paragraph, which fits into the running text. */
  readonly inline: boolean;
  /** Each kind once. */
  readonly warnings: readonly RichWarning[];
}

/** The deepest list that Word can count, from 1. */
export const LIST_LEVELS = 9;

/** How far a list indents its items against the list around it, in twentieths of a point. */
export const LIST_INDENT = 720;
