import { crc32 } from "node:zlib";
import { readExif } from "./exif.ts";
import type { Outcome, RasterFacts, Resolution } from "./outcome.ts";
import { dpiOf } from "./resolution.ts";

const SIGNATURE_LENGTH = 8;

/** DEFLATE expands one byte to at most this number of bytes (RFC 1951: 258 bytes in two bits). */
const MAX_INFLATION = 1032;

/** The bit depths that each color type allows (PNG, third edition, table 11.1). */
const BIT_DEPTHS: ReadonlyMap<number, readonly number[]> = new Map([
  [0, [1, 2, 4, 8, 16]],
  [2, [8, 16]],
  [3, [1, 2, 4, 8]],
  [4, [8, 16]],
  [6, [8, 16]],
]);

/** The number of samples of a pixel for each color type. */
const SAMPLES: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

const DAMAGED = { problem: "is a PNG image that is cut off or damaged" } as const;

interface Header {
  readonly width: number;
  readonly height: number;
  readonly bitsPerPixel: number;
}

/**
 * Reads a PNG from its signature to its last chunk. Checks the checksums of the chunks that a reader needs.
 * Does not unpack the pixels, but checks that there are enough of them for the size.
 */
export function readPng(bytes: Uint8Array): Outcome<RasterFacts> {
  let header: Header | null = null;
  let dpi: Resolution | null = null;
  let orientation: number | null = null;
  let pixelBytes = 0;
  for (const { type, content } of chunksOf(bytes)) {
    if ((header === null) !== (type === "IHDR")) return DAMAGED;
    if (type === "IHDR") header = readHeader(content);
    else if (type === "IDAT") pixelBytes += content.byteLength;
    else if (type === "pHYs") dpi = readResolution(content);
    else if (type === "eXIf") orientation = readExif(bytesOf(content)).orientation;
    if (header === null) return DAMAGED;
    if (type === "IEND") {
      if (!isEnough(header, pixelBytes)) return DAMAGED;
      return { width: header.width, height: header.height, dpi, orientation };
    }
  }
  return DAMAGED;
}

/** Whether a PNG begins with a valid header. The rest may be missing or damaged. */
export function hasPngHeader(bytes: Uint8Array): boolean {
  const [first] = chunksOf(bytes);
  const header = first?.type === "IHDR" ? readHeader(first.content) : null;
  return header !== null && header.width > 0 && header.height > 0;
}

interface Chunk {
  readonly type: string;
  readonly content: DataView;
}

/** Yields the chunks in order, up to the first one that is truncated or damaged. */
function* chunksOf(bytes: Uint8Array): Generator<Chunk, void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = SIGNATURE_LENGTH; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const end = at + 8 + length;
    if (end + 4 > bytes.length) return;
    const isCritical = ((bytes[at + 4] ?? 0) & 0x20) === 0;
    if (isCritical && crc32(bytes.subarray(at + 4, end)) !== view.getUint32(end)) return;
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    yield { type, content: new DataView(bytes.buffer, bytes.byteOffset + at + 8, length) };
    at = end + 4;
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: DataView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function readHeader(content: DataView): Header | null {
  if (content.byteLength !== 13) return null;
  const depth = content.getUint8(8);
  const colorType = content.getUint8(9);
  const isKnown =
    BIT_DEPTHS.get(colorType)?.includes(depth) === true &&
    content.getUint8(10) === 0 &&
    content.getUint8(11) === 0 &&
    content.getUint8(12) <= 1;
  return isKnown
    ? {
        width: content.getUint32(0),
        height: content.getUint32(4),
        bitsPerPixel: depth * (SAMPLES.get(colorType) ?? 0),
      }
    : null;
}

/** Whether this number of compressed bytes can contain an image of the declared size, which may be false. */
function isEnough({ width, height, bitsPerPixel }: Header, pixelBytes: number): boolean {
  return pixelBytes > 0 && (width * height * bitsPerPixel) / 8 <= pixelBytes * MAX_INFLATION;
}

function readResolution(content: DataView): Resolution | null {
  if (content.byteLength !== 9 || content.getUint8(8) !== 1) return null;
  return { x: dpiOf(content.getUint32(0)), y: dpiOf(content.getUint32(4)) };
}
