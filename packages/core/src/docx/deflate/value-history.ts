import { CRC_TABLE } from "./checksum.ts";
import { WINDOW } from "./format.ts";

/** Room for the values of a window, and for one more of the longest. */
const SIZE = 1 << 18;

/** A longer text is written in pieces of so many characters. */
export const LONGEST_VALUE = 16_384;

/** Bytes of UTF-8 that a unit of UTF-16 has at most. */
const MOST_BYTES = 3;

/**
 * The bytes of the values that were written last, one behind the other. A value is known by where it begins
 * and ends; what began before `base` is gone.
 */
export class ValueHistory {
  readonly bytes: Uint8Array = new Uint8Array(SIZE);
  /** What stands at the beginning of the bytes. */
  base = 0;
  #top = 0;
  /** Where the value begins that was added last. */
  begin = 0;
  /** The checksum's register behind the value that was added last. */
  register = 0;

  clear(): void {
    this.base = 0;
    this.#top = 0;
  }

  /** Adds a value of at most {@link LONGEST_VALUE} characters, as UTF-8; where it ends. */
  add(value: string, register: number): number {
    const { length } = value;
    if (this.#top + length * MOST_BYTES > SIZE) this.#moveDown();
    this.begin = this.base + this.#top;
    const bytes = this.bytes;
    let top = this.#top;
    let crc = register;
    for (let at = 0; at < length; at++) {
      const unit = value.charCodeAt(at);
      if (unit > 127) {
        this.#top = top;
        this.register = crc;
        return this.#addRest(value, at);
      }
      bytes[top++] = unit;
      crc = (CRC_TABLE[(crc ^ unit) & 255] as number) ^ (crc >>> 8);
    }
    this.#top = top;
    this.register = crc;
    return this.base + top;
  }

  /** Adds what begins with a character that is no ASCII. */
  #addRest(value: string, from: number): number {
    for (let at = from; at < value.length; at++) {
      const unit = value.charCodeAt(at);
      if (unit < 0x80) this.#byte(unit);
      else if (unit < 0x800) {
        this.#byte(0xc0 | (unit >>> 6));
        this.#byte(0x80 | (unit & 63));
      } else {
        const code = value.codePointAt(at) ?? 0;
        if (code > 0xffff) at += 1;
        this.#longCharacter(code);
      }
    }
    return this.base + this.#top;
  }

  #longCharacter(code: number): void {
    if (code > 0xffff) {
      this.#byte(0xf0 | (code >>> 18));
      this.#byte(0x80 | ((code >>> 12) & 63));
    } else this.#byte(0xe0 | (code >>> 12));
    this.#byte(0x80 | ((code >>> 6) & 63));
    this.#byte(0x80 | (code & 63));
  }

  #byte(byte: number): void {
    this.bytes[this.#top++] = byte;
    this.register = (CRC_TABLE[(this.register ^ byte) & 255] as number) ^ (this.register >>> 8);
  }

  /** Keeps what may still be in the window. */
  #moveDown(): void {
    const gone = Math.max(0, this.#top - WINDOW);
    this.bytes.copyWithin(0, gone, this.#top);
    this.base += gone;
    this.#top -= gone;
  }

  /** How many bytes, at most so many, two places have in common from there on. */
  commonStart(a: number, b: number, most: number): number {
    const bytes = this.bytes;
    const [first, second] = [a - this.base, b - this.base];
    if (first < 0 || second < 0) return 0;
    let common = 0;
    while (common < most && bytes[first + common] === bytes[second + common]) common += 1;
    return common;
  }

  /** How many bytes, at most so many, two places have in common before them. */
  commonEnd(a: number, b: number, most: number): number {
    const bytes = this.bytes;
    const [first, second] = [a - this.base, b - this.base];
    if (first < most || second < most) return 0;
    let common = 0;
    while (common < most && bytes[first - 1 - common] === bytes[second - 1 - common]) common += 1;
    return common;
  }
}
