import type { Compressor, Piece, Slot } from "../deflate/pieces.ts";

/** Pieces that were written but not sent yet. The memory is reused, because there may be a million rows. */
export class PieceList {
  readonly #pieces: Piece[] = [];
  #count = 0;

  get length(): number {
    return this.#count;
  }

  push(piece: Piece): void {
    this.#pieces[this.#count++] = piece;
  }

  /** Keeps the first `length` pieces. Returns the slots among the dropped pieces. */
  cut(length: number): readonly Slot[] {
    const slots: Slot[] = [];
    for (let at = length; at < this.#count; at++) {
      const piece = this.at(at);
      if (typeof piece !== "string" && isSlot(piece)) slots.push(piece);
    }
    this.#count = length;
    return slots;
  }

  /** Sends the first `count` pieces. */
  send(count: number, compressor: Compressor | null): void {
    compressor?.take(this.#pieces, count);
    this.#pieces.copyWithin(0, count, this.#count);
    this.#count -= count;
  }

  at(index: number): Piece {
    return this.#pieces[index] as Piece;
  }

  /** Returns the XML of a range of pieces. */
  text(from = 0, to = this.#count): string {
    return this.#pieces
      .slice(from, to)
      .map((piece) => (typeof piece === "string" ? piece : piece.xml))
      .join("");
  }
}

function isSlot(piece: Exclude<Piece, string>): piece is Slot {
  return piece.index === -1;
}
