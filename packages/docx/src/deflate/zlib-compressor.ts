import { Buffer } from "node:buffer";
import { constants, crc32, deflateRawSync } from "node:zlib";
import type { Compressed } from "@quire/ooxml/internal/write";
import { ByteText } from "./byte-text.ts";
import { WINDOW } from "./format.ts";
import type { Compressor, LinePiece, Piece, StaticPiece } from "./pieces.ts";
import { VALUE_BYTES, VALUE_ENDS, valueBytes } from "./value-bytes.ts";

const BYTES = VALUE_BYTES;
const ENDS = VALUE_ENDS;

/** Once a part has this many bytes that are not compressed yet, they are compressed as a slice. */
const SLICE = 1 << 19;

/** Compresses parts with zlib, in slices. The data before a slice is used as its dictionary. */
export class ZlibCompressor implements Compressor {
  readonly takesLines = true;
  readonly #level: number;
  readonly #text = new ByteText();
  #crc = 0;
  #size = 0;
  #streams: Uint8Array[] = [];
  /** The last bytes of the previous slice; null for the first slice. */
  #before: Buffer | null = null;

  /** `level`: zlib's level, from 1 to 9. */
  constructor(level: number) {
    this.#level = level;
  }

  take(pieces: readonly Piece[], count: number): void {
    const text = this.#text;
    for (let at = 0; at < count; at++) {
      const piece = pieces[at] as Piece;
      if (typeof piece === "string") text.addText(piece);
      else if (piece.index < 0) text.addText(piece.xml);
      else text.addBytes((piece as StaticPiece).bytes);
      if (text.length >= SLICE) this.#slice(constants.Z_SYNC_FLUSH);
    }
  }

  line(pieces: readonly LinePiece[]): void {
    const text = this.#text;
    let from = valueBytes.written;
    let next = 0;
    for (const piece of pieces) {
      if (piece !== null) {
        text.addBytes(piece.bytes);
        continue;
      }
      const to = ENDS[next++] as number;
      text.addSome(BYTES, from, to);
      from = to;
    }
    if (text.length >= SLICE) this.#slice(constants.Z_SYNC_FLUSH);
  }

  finish(): Compressed {
    this.#slice(constants.Z_FINISH);
    this.#text.end();
    const all = { crc32: this.#crc, size: this.#size, pieces: this.#streams };
    this.#streams = [];
    this.#before = null;
    this.#crc = 0;
    this.#size = 0;
    return all;
  }

  #slice(finishFlush: number): void {
    const { bytes } = this.#text;
    const dictionary = this.#before;
    const options = { level: this.#level, finishFlush };
    this.#streams.push(
      deflateRawSync(
        bytes,
        dictionary === null
          ? { ...options, ...sizesFor(bytes.length) }
          : { ...options, dictionary },
      ),
    );
    if (finishFlush !== constants.Z_FINISH) {
      this.#before ??= Buffer.allocUnsafeSlow(WINDOW);
      bytes.copy(this.#before, 0, bytes.length - WINDOW);
    }
    this.#crc = crc32(bytes, this.#crc);
    this.#size += bytes.length;
    this.#text.clear();
  }
}

/** Shorter input does not fill zlib's default tables, so smaller tables give the same result. */
const SHORT = 30_000;

/** Returns the sizes of zlib's tables. Clearing large tables takes longer than compressing a letter. */
function sizesFor(length: number): { windowBits?: number; memLevel?: number; chunkSize?: number } {
  if (length > SHORT) return {};
  const windowBits = Math.max(9, 32 - Math.clz32(Math.floor(length * 0.9)));
  return { windowBits, memLevel: 6, chunkSize: 4096 };
}
