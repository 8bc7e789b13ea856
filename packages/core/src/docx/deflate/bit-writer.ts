import { Buffer } from "node:buffer";
import type { Words } from "./codes.ts";
import { scratch } from "./scratch.ts";

/** What is written goes here first. */
const SIZE = 1 << 18;
const OUT = scratch(new Uint8Array(SIZE));
const VIEW = new DataView(OUT.buffer);
export const OUT_VIEW: DataView = VIEW;

/** Room for what one step writes at most beside what it asks for. */
const MARGIN = 64;
const LIMIT = SIZE - MARGIN;

const FIRST_LAST = 1 << 13;

/** With what a stream begins: whole bytes, and some bits behind them. */
export interface Opening {
  readonly bytes: Uint8Array;
  readonly bits: number;
  readonly count: number;
}

/**
 * Writes bits, the lowest first, as DEFLATE wants them (RFC 1951, 3.1.1). What writes many of them works
 * on the fields itself: `bits` holds the `count` (0 to 7) bits that fill no byte yet, and `place` is where
 * they go in {@link OUT_VIEW}.
 */
export class BitWriter {
  place = 0;
  bits = 0;
  count = 0;
  #done: Uint8Array[] = [];
  /** Holds the last piece of what was written; it is used again. */
  #last = new Uint8Array(FIRST_LAST);

  /** Makes room for so many bytes: no more than 100,000. */
  room(bytes: number): void {
    if (this.place + bytes > LIMIT) this.#empty();
  }

  #empty(): void {
    this.#done.push(OUT.slice(0, this.place));
    this.place = 0;
  }

  /** Writes up to 24 bits; there must be room. */
  put(bits: number, count: number): void {
    this.bits |= bits << this.count;
    this.count += count;
    VIEW.setUint32(this.place, this.bits, true);
    this.place += this.count >> 3;
    this.bits >>= this.count & 24;
    this.count &= 7;
  }

  words(words: Words): void {
    for (const word of words) {
      this.room(0);
      this.put(word >>> 6, (word >>> 1) & 31);
    }
  }

  /** Writes whole bytes behind whole bytes: there must be no bits that fill none yet. */
  append(bytes: Uint8Array): void {
    this.#empty();
    this.#done.push(bytes);
  }

  /** What has been written. */
  get opening(): Opening {
    const bytes = Buffer.concat([...this.#done, OUT.subarray(0, this.place)]);
    return { bytes, bits: this.bits, count: this.count };
  }

  /** Begins with what is known. */
  open({ bytes, bits, count }: Opening): void {
    if (bytes.length < LIMIT) OUT.set(bytes);
    else this.#done.push(bytes);
    this.place = bytes.length < LIMIT ? bytes.length : 0;
    this.bits = bits;
    this.count = count;
  }

  /** All bytes, the last one filled up with zeros. They are good until this is used again. */
  finish(): readonly Uint8Array[] {
    const end = this.place + (this.count > 0 ? 1 : 0);
    if (end > this.#last.length) this.#last = new Uint8Array(2 * end);
    this.#last.set(OUT.subarray(0, end));
    const all = [...this.#done, this.#last.subarray(0, end)];
    this.#done = [];
    return all;
  }

  /** Begins anew. */
  reset(): void {
    this.#done = [];
    this.place = 0;
    this.bits = 0;
    this.count = 0;
  }
}
