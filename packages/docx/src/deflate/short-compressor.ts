import type { Compressed } from "@quire/ooxml/internal/write";
import type { Compressor, LinePiece, Piece } from "./pieces.ts";
import type { TemplateCompressor } from "./template-compressor.ts";
import { ZlibCompressor } from "./zlib-compressor.ts";

/**
 * Maximum length of a short part, and of all its values together, in characters. Zlib compresses long values
 * better.
 */
const SHORT = 32_000;
const SHORT_VALUES = 4_000;

/**
 * Compresses short parts with the prepared template, and longer parts with zlib. Starting zlib takes longer than
 * compressing a whole letter, and its result is not smaller.
 */
export class ShortCompressor implements Compressor {
  readonly #level: number;
  readonly #lend: () => TemplateCompressor;
  #pieces: Piece[] = [];
  #characters = 0;
  #values = 0;
  #zlib: ZlibCompressor | null = null;
  /** The borrowed compressor, which must be given back; null if none was needed. */
  lent: TemplateCompressor | null = null;

  /** `level`: zlib's level. `lend` is called to borrow a compressor if the part turns out to be short. */
  constructor(level: number, lend: () => TemplateCompressor) {
    this.#level = level;
    this.#lend = lend;
  }

  take(pieces: readonly Piece[], count: number): void {
    if (this.#zlib !== null) {
      this.#zlib.take(pieces, count);
      return;
    }
    for (let at = 0; at < count; at++) {
      const piece = pieces[at] as Piece;
      this.#pieces.push(piece);
      const { length } = typeof piece === "string" ? piece : piece.xml;
      this.#characters += length;
      if (typeof piece === "string" || piece.index < 0) this.#values += length;
    }
    if (this.#characters <= SHORT && this.#values <= SHORT_VALUES) return;
    this.#zlib = new ZlibCompressor(this.#level);
    this.#zlib.take(this.#pieces, this.#pieces.length);
    this.#pieces = [];
  }

  /** Whether zlib compresses the part. Before that, pieces are kept until it is known whether the part is short. */
  get takesLines(): boolean {
    return this.#zlib !== null;
  }

  line(pieces: readonly LinePiece[]): void {
    this.#zlib?.line(pieces);
  }

  finish(): Compressed {
    if (this.#zlib !== null) return this.#zlib.finish();
    this.lent = this.#lend();
    this.lent.take(this.#pieces, this.#pieces.length);
    return this.lent.finish();
  }
}
