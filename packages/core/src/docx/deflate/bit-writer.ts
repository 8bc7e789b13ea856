import type { Words } from "./codes.ts";

/** Room for what one step writes at most beside what it asks for. */
const MARGIN = 64;

const FIRST_BLOCK = 1 << 16;
const BLOCK = 1 << 18;

/** With what a stream begins: whole bytes, and some bits behind them. */
export interface Opening {
  readonly bytes: Uint8Array;
  readonly bits: number;
  readonly count: number;
}

/**
 * Writes bits, the lowest first, as DEFLATE wants them (RFC 1951, 3.1.1). What writes many of them works
 * on the fields itself: `bits` holds the `count` (0 to 7) bits that fill no byte yet, and `place` is where
 * they go.
 */
export class BitWriter {
  view: DataView = new DataView(new ArrayBuffer(FIRST_BLOCK));
  place = 0;
  bits = 0;
  count = 0;
  #limit = FIRST_BLOCK - MARGIN;
  #done: Uint8Array[] = [];

  /** Makes room for so many bytes. */
  room(bytes: number): void {
    if (this.place + bytes > this.#limit) this.#next(bytes);
  }

  #next(bytes: number): void {
    this.#done.push(new Uint8Array(this.view.buffer, 0, this.place));
    this.#begin(Math.max(BLOCK, bytes + MARGIN));
    this.place = 0;
  }

  #begin(bytes: number): void {
    this.view = new DataView(new ArrayBuffer(bytes));
    this.#limit = bytes - MARGIN;
  }

  /** Writes up to 24 bits; there must be room. */
  put(bits: number, count: number): void {
    this.bits |= bits << this.count;
    this.count += count;
    this.view.setUint32(this.place, this.bits, true);
    this.place += this.count >>> 3;
    this.bits >>>= this.count & 24;
    this.count &= 7;
  }

  words(words: Words): void {
    this.room(words.length * 3);
    for (const word of words) this.put(word >>> 6, (word >>> 1) & 31);
  }

  /** What has been written, as long as it fills one block. */
  get opening(): Opening {
    const bytes = new Uint8Array(this.view.buffer.slice(0, this.place));
    return { bytes, bits: this.bits, count: this.count };
  }

  /** Begins with what is known. */
  open({ bytes, bits, count }: Opening): void {
    this.room(bytes.length);
    new Uint8Array(this.view.buffer).set(bytes);
    this.place = bytes.length;
    this.bits = bits;
    this.count = count;
  }

  /** All bytes, the last one filled up with zeros. They are good until this is used again. */
  finish(): readonly Uint8Array[] {
    const end = this.place + (this.count > 0 ? 1 : 0);
    const all = [...this.#done, new Uint8Array(this.view.buffer, 0, end)];
    this.#done = [];
    return all;
  }

  /** Begins anew. A large block is not kept. */
  reset(): void {
    if (this.#limit > BLOCK) this.#begin(FIRST_BLOCK);
    this.#done = [];
    this.place = 0;
    this.bits = 0;
    this.count = 0;
  }
}
