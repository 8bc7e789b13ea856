/** A text that the template holds: all of a static text of its part, or a piece of it. */
export interface StaticPiece {
  readonly xml: string;
  /** The same as UTF-8. */
  readonly bytes: Uint8Array;
  /** The number of the static text. */
  readonly index: number;
  /** Where it begins and ends in it, in bytes of UTF-8. */
  readonly from: number;
  readonly to: number;
  /** Whether it is all of it. */
  readonly whole: boolean;
  /** How many elements, and tables among them, it opens more than it closes. */
  readonly opens: { readonly elements: number; readonly tables: number };
}

/** A place that is left empty until it is known what stands there. */
export interface Slot {
  xml: string;
  readonly index: -1;
  /** Which one of its document it is. */
  readonly number: number;
}

/** What a part is made of while it is written: text of the template, a value as XML, or a slot. */
export type Piece = StaticPiece | Slot | string;

/** What a line is made of, null for the next one of its values. */
export type LinePiece = StaticPiece | null;

/** A part, compressed. */
export interface Compressed {
  readonly crc32: number;
  /** In bytes, before it was compressed. */
  readonly size: number;
  /** A whole DEFLATE stream (RFC 1951), in pieces. */
  readonly pieces: readonly Uint8Array[];
}

/** Compresses one part while it is written. */
export interface Compressor {
  /** Takes the first so many of these, which follow what was taken before. */
  take(pieces: readonly Piece[], count: number): void;
  /** Whether {@link line} may be called. */
  readonly takesLines: boolean;
  /** Takes a line, which follows what was taken before: its values are those that were read last. */
  line(pieces: readonly LinePiece[]): void;
  /** Ends the part. What it gives is good until the next part begins. */
  finish(): Compressed;
}
