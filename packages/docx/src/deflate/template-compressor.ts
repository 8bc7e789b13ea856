import type { Compressed } from "@quire/ooxml/internal/write";
import { Deflation } from "./deflation.ts";
import type { Compressor, LinePiece, Piece, StaticPiece } from "./pieces.ts";
import type { TemplateCode } from "./template-code.ts";

/** Compresses parts with the prepared template. */
export class TemplateCompressor implements Compressor {
  readonly #deflation: Deflation;
  #begun = false;
  readonly takesLines = true;

  constructor(code: TemplateCode) {
    this.#deflation = new Deflation(code);
  }

  /** Discards the part in progress, if any. */
  reset(): void {
    this.#begun = false;
  }

  take(pieces: readonly Piece[], count: number): void {
    const deflation = this.#begin();
    for (let at = 0; at < count; at++) {
      const piece = pieces[at] as Piece;
      if (typeof piece === "string") deflation.value(piece);
      else if (piece.index < 0) deflation.value(piece.xml);
      else deflation.static(piece as StaticPiece);
    }
  }

  line(pieces: readonly LinePiece[]): void {
    this.#begin().line(pieces);
  }

  finish(): Compressed {
    const compressed = this.#begin().finish();
    this.#begun = false;
    return compressed;
  }

  #begin(): Deflation {
    if (!this.#begun) this.#deflation.begin();
    this.#begun = true;
    return this.#deflation;
  }
}
