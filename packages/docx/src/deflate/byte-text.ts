import { Buffer } from "node:buffer";

const FIRST_SIZE = 1 << 16;

/** Maximum number of UTF-8 bytes for one UTF-16 code unit. */
const MOST_BYTES = 3;

/** Strings up to this length are written character by character, which is faster than `Buffer.write`. */
const SHORT = 48;

/** Buffers to reuse, because allocating new memory takes longer than filling it. */
const spare: Buffer[] = [];
const MOST_SPARE = 4;
const LARGEST_SPARE = 1 << 21;

/** A UTF-8 string that grows. */
export class ByteText {
  #bytes: Buffer = spare.pop() ?? Buffer.allocUnsafeSlow(FIRST_SIZE);
  length = 0;

  /** The added bytes. They are valid until more is added. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }

  /** Ends the string. Its memory may be reused for another. */
  end(): void {
    if (spare.length < MOST_SPARE && this.#bytes.length <= LARGEST_SPARE) spare.push(this.#bytes);
    this.#bytes = Buffer.alloc(0);
    this.length = 0;
  }

  addBytes(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Adds a range of `source`. */
  addSome(source: Uint8Array, from: number, to: number): void {
    this.#room(to - from);
    const bytes = this.#bytes;
    let { length } = this;
    for (let at = from; at < to; at++) bytes[length++] = source[at] as number;
    this.length = length;
  }

  addText(text: string): void {
    this.#room(text.length * MOST_BYTES);
    if (text.length <= SHORT && this.#addAscii(text)) return;
    this.length += this.#bytes.write(text, this.length);
  }

  /** Adds an ASCII string. Returns false for any other string. */
  #addAscii(text: string): boolean {
    const bytes = this.#bytes;
    let at = this.length;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (unit > 127) return false;
      bytes[at++] = unit;
    }
    this.length = at;
    return true;
  }

  #room(bytes: number): void {
    const needed = this.length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length, FIRST_SIZE));
    larger.set(this.bytes);
    this.#bytes = larger;
  }
}
