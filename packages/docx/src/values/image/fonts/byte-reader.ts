/** Reads big-endian numbers of a font. Throws a `RangeError` beyond the end. */
export class ByteReader {
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.#view.byteLength;
  }

  u8(at: number): number {
    return this.#view.getUint8(at);
  }

  u16(at: number): number {
    return this.#view.getUint16(at);
  }

  u32(at: number): number {
    return this.#view.getUint32(at);
  }

  /** A tag: four ASCII characters. */
  tag(at: number): string {
    return String.fromCharCode(...[0, 1, 2, 3].map((index) => this.u8(at + index)));
  }

  /** A part of these bytes. */
  part(at: number, length: number): ByteReader {
    const { buffer, byteOffset } = this.#view;
    if (at + length > this.length) throw new RangeError("The part ends beyond the end.");
    return new ByteReader(new Uint8Array(buffer, byteOffset + at, length));
  }
}
