import type { Compressor, Piece, Slot } from "../deflate/pieces.ts";

/** Stands for a slot in XML that is changed. XML cannot contain this character. */
export const SLOT = "\u0001";

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
      if (isSlot(piece)) slots.push(piece);
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

  /**
   * Replaces the XML of all pieces from an index on. In it, {@link SLOT} stands for each slot, which `change` leaves in
   * its place. Returns how many characters longer the XML has become; 0 if it has not.
   */
  change(from: number, change: (xml: string) => string): number {
    const written = this.#pieces.slice(from, this.#count);
    const slots = written.filter(isSlot);
    const xml = written.map((piece) => (isSlot(piece) ? SLOT : xmlOf(piece))).join("");
    const changed = change(xml);
    this.#count = from;
    for (const [index, text] of changed.split(SLOT).entries()) {
      const slot = slots[index - 1];
      if (slot !== undefined) this.push(slot);
      if (text !== "") this.push(text);
    }
    return Math.max(changed.length - xml.length, 0);
  }

  /** Returns the end of the XML, with at least `length` characters if there are that many. */
  tail(length: number): string {
    let characters = 0;
    let from = this.#count;
    for (; from > 0 && characters <= length; from--) characters += xmlOf(this.at(from - 1)).length;
    return this.text(from);
  }

  at(index: number): Piece {
    return this.#pieces[index] as Piece;
  }

  /** Returns the XML of a range of pieces. */
  text(from = 0, to = this.#count): string {
    return this.#pieces.slice(from, to).map(xmlOf).join("");
  }
}

/** Whether a piece is filled later. */
function isSlot(piece: Piece): piece is Slot {
  return typeof piece !== "string" && piece.index === -1;
}

/** Returns the XML of a piece. */
function xmlOf(piece: Piece): string {
  return typeof piece === "string" ? piece : piece.xml;
}
