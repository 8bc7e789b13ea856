import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";
import { CRC_TABLE } from "./checksum.ts";
import { scratch, scratchState } from "./scratch.ts";

const SIZE = 1 << 18;
const TABLE = CRC_TABLE;
const BYTES: Uint8Array<ArrayBuffer> = scratch(new Uint8Array(SIZE));
const BUFFER = Buffer.from(BYTES.buffer);

/** Maximum number of values of a line. A line with more values is not written in one step. */
const MOST_VALUES = 4096;
const ENDS = scratch(new Int32Array(MOST_VALUES));

/** The minimum room for the values of a line, in bytes. */
const ROOM = 1 << 16;

/** Longer strings are split into pieces of this number of characters. */
const LONGEST_PIECE = 1 << 19;

/** Strings up to this length are processed byte by byte, which is faster than the built-in function. */
const SHORT = 48;

/** Maximum number of UTF-8 bytes for one UTF-16 code unit. */
const MOST_BYTES = 3;

/** The first surrogate. Some code units after the surrogates are not allowed in XML. */
const FIRST_OF_PAIR = 0xd800;

/** The line separator and the paragraph separator, U+2028 and U+2029, without the last bit. */
const SEPARATORS = 0x2028;

/** For each ASCII code: 1 for characters that XML escapes or forbids, and for line breaks and tabs. */
const SPECIAL = new Uint8Array(128).fill(1, 0, 32);
for (const character of "&<>") SPECIAL[character.charCodeAt(0)] = 1;

/**
 * The values of a part as UTF-8, one after the other: first the written values that are remembered, then the values of
 * the line that is being read.
 */
class ValueBytes {
  /** How many times all written values have been forgotten. */
  rounds = 0;
  /** The end of the written values. */
  written = 0;
  /**
   * The length of all values of the line together, in UTF-16 code units, and the number of values that are not
   * empty.
   */
  characters = 0;
  shown = 0;
  #count = 0;
  #top = 0;

  constructor() {
    scratchState(() => {
      const kept = { ...this };
      const [count, top] = [this.#count, this.#top];
      return () => {
        Object.assign(this, kept);
        this.#count = count;
        this.#top = top;
      };
    });
  }

  /** Forgets everything. */
  clear(): void {
    this.written = 0;
    this.rounds += 1;
  }

  /** Starts a line with this number of values. Returns false if there are too many. */
  begin(count: number): boolean {
    this.#makeRoom();
    this.#count = 0;
    this.#top = this.written;
    this.characters = 0;
    this.shown = 0;
    return count <= MOST_VALUES;
  }

  #makeRoom(): void {
    if (this.written + ROOM > SIZE) this.clear();
  }

  /**
   * Adds a value to the line if XML allows all its characters unescaped. Otherwise, or if it does not fit, adds
   * nothing and returns false.
   */
  addPlain(text: string): boolean {
    const { length } = text;
    let top = this.#top;
    if (top + length * MOST_BYTES > SIZE) return false;
    for (let at = 0; at < length; at++) {
      const unit = text.charCodeAt(at);
      if (unit < 0x80) {
        if (SPECIAL[unit] === 1) return false;
        BYTES[top++] = unit;
      } else if (unit < 0x800) {
        BYTES[top++] = 0xc0 | (unit >>> 6);
        BYTES[top++] = 0x80 | (unit & 63);
      } else {
        if (unit >= FIRST_OF_PAIR || (unit & ~1) === SEPARATORS) return false;
        BYTES[top++] = 0xe0 | (unit >>> 12);
        BYTES[top++] = 0x80 | ((unit >>> 6) & 63);
        BYTES[top++] = 0x80 | (unit & 63);
      }
    }
    this.#add(length, top);
    return true;
  }

  /**
   * Adds the digits of an integer. If the integer is negative, has more than nine digits or does not fit, adds nothing
   * and returns false.
   */
  addInteger(value: number): boolean {
    if (value < 0 || value >= 1e9 || this.#top + 9 > SIZE) return false;
    let digits = 1;
    for (let power = 10; power <= value; power *= 10) digits += 1;
    let rest = value | 0;
    for (let at = this.#top + digits - 1; at >= this.#top; at--) {
      const tenth = (rest / 10) | 0;
      BYTES[at] = 0x30 + rest - tenth * 10;
      rest = tenth;
    }
    this.#add(digits, this.#top + digits);
    return true;
  }

  /** Adds a value as XML. If it does not fit, adds nothing and returns false. */
  addXml(xml: string): boolean {
    if (this.#top + xml.length * MOST_BYTES > SIZE) return false;
    this.#add(xml.length, this.#top + BUFFER.write(xml, this.#top));
    return true;
  }

  #add(characters: number, top: number): void {
    this.#top = top;
    ENDS[this.#count++] = top;
    this.characters += characters;
    if (characters > 0) this.shown += 1;
  }

  /**
   * Puts a string into the free room after the written values. The room must be sufficient. Returns the end of the
   * string.
   */
  put(text: string): number {
    this.#makeRoom();
    const from = this.written;
    if (text.length > SHORT) return from + BUFFER.write(text, from);
    let top = from;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit > 127) return from + BUFFER.write(text, from);
      BYTES[top++] = unit;
    }
    return top;
  }
}

export const valueBytes: ValueBytes = new ValueBytes();

/**
 * The value bytes, and the position in them where each value of the line ends. The first value begins where the
 * written values end.
 */
export const VALUE_BYTES: Uint8Array = BYTES;
export const VALUE_ENDS: Int32Array = ENDS;

/** Yields a string in pieces of limited length. Both halves of a surrogate pair remain together. */
export function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = at + LONGEST_PIECE;
    const isHalf = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
    const next = isHalf ? end - 1 : end;
    yield text.slice(at, next);
    at = next;
  }
}

/** Returns the checksum of earlier data followed by a range of the value bytes. */
export function appendedValue(before: number, from: number, to: number): number {
  if (to - from > SHORT) return crc32(BYTES.subarray(from, to), before >>> 0) | 0;
  let register = ~before;
  for (let at = from; at < to; at++) {
    register = (TABLE[(register ^ (BYTES[at] as number)) & 255] as number) ^ (register >>> 8);
  }
  return ~register;
}
