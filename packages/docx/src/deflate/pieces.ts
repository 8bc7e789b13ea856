import type { Compressed } from "@quire/ooxml/internal/write";

/** Template text: a whole static text of its part, or a piece of one. */
export interface StaticPiece {
  readonly xml: string;
  /** The text as UTF-8. */
  readonly bytes: Uint8Array;
  /** The index of the static text among those of the part. */
  readonly index: number;
  /** The range of the piece in the static text, in UTF-8 bytes. */
  readonly from: number;
  readonly to: number;
  /** Whether the piece is the whole static text. */
  readonly whole: boolean;
  /** How many more elements the piece opens than it closes, and how many of those are tables. */
  readonly opens: { readonly elements: number; readonly tables: number };
}

/** A gap in the output that is filled later. */
export interface Slot {
  xml: string;
  readonly index: -1;
  /** The slot's number in the document. */
  readonly number: number;
}

/** A piece of a part while the part is written: template text, a value as XML, or a slot. */
export type Piece = StaticPiece | Slot | string;

/** A piece of a line; null for the next value. */
export type LinePiece = StaticPiece | null;

/** Compresses parts, one at a time, while they are written. */
export interface Compressor {
  /** Takes the first `count` pieces. They follow the earlier input. */
  take(pieces: readonly Piece[], count: number): void;
  /** Whether {@link line} may be called. */
  readonly takesLines: boolean;
  /** Takes a line, which follows the earlier input. The values of the line are the ones that were read last. */
  line(pieces: readonly LinePiece[]): void;
  /** Ends the part. The result is valid until the next part begins. */
  finish(): Compressed;
}
