import { Buffer } from "node:buffer";
import type { Words } from "./codes.ts";
import { scratch } from "./scratch.ts";

/** The size of the output buffer, in bytes. */
const SIZE = 1 << 18;
const OUT = scratch(new Uint8Array(SIZE));
const VIEW = new DataView(OUT.buffer);
export const OUT_VIEW: DataView = VIEW;

/** Spare room, because one step may write more bytes than it requested. */
const MARGIN = 64;
const LIMIT = SIZE - MARGIN;

const FIRST_LAST = 1 << 13;

/** The start of a stream: whole bytes, followed by `count` more bits. */
export interface Opening {
  readonly bytes: Uint8Array;
  readonly bits: number;
  readonly count: number;
}

/**
 * Writes bits, lowest first, as DEFLATE requires (RFC 1951, 3.1.1). Code that writes many bits works on the
 * fields directly: `bits` holds the `count` (0 to 7) bits of the incomplete byte, and `place` is its position
 * in {@link OUT_VIEW}.
 */
export class BitWriter {
  place = 0;
  bits = 0;
  count = 0;
  #done: Uint8Array[] = [];
  /** Holds the last piece of the output. The array is reused. */
  #last = new Uint8Array(FIRST_LAST);

  /** Makes room for this number of bytes, at most 100,000. */
  room(bytes: number): void {
    if (this.place + bytes > LIMIT) this.#empty();
  }

  #empty(): void {
    this.#done.push(OUT.slice(0, this.place));
    this.place = 0;
  }

  /** Writes up to 24 bits. There must be room. */
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

  /** Appends whole bytes. The output must not end in an incomplete byte. */
  append(bytes: Uint8Array): void {
    this.#empty();
    this.#done.push(bytes);
  }

  /** A copy of the written output. */
  get opening(): Opening {
    const bytes = Buffer.concat([...this.#done, OUT.subarray(0, this.place)]);
    return { bytes, bits: this.bits, count: this.count };
  }

  /** Starts with output that was prepared earlier. */
  open({ bytes, bits, count }: Opening): void {
    if (bytes.length < LIMIT) OUT.set(bytes);
    else this.#done.push(bytes);
    this.place = bytes.length < LIMIT ? bytes.length : 0;
    this.bits = bits;
    this.count = count;
  }

  /**
   * Returns all bytes, with zeros in the unused bits of the last one. The bytes are valid until the writer is used
   * again.
   */
  finish(): readonly Uint8Array[] {
    const end = this.place + (this.count > 0 ? 1 : 0);
    if (end > this.#last.length) this.#last = new Uint8Array(2 * end);
    this.#last.set(OUT.subarray(0, end));
    const all = [...this.#done, this.#last.subarray(0, end)];
    this.#done = [];
    return all;
  }

  /** Discards the output and starts a new stream. */
  reset(): void {
    this.#done = [];
    this.place = 0;
    this.bits = 0;
    this.count = 0;
  }
}
