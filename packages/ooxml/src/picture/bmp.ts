import type { Outcome, RasterFacts } from "./outcome.ts";
import { dpiOf } from "./resolution.ts";

/** The possible lengths of a bitmap header, in OS/2 and in the versions of Windows. */
const HEADERS: ReadonlySet<number> = new Set([12, 16, 40, 52, 56, 64, 108, 124]);

const FILE_HEADER_LENGTH = 14;
const SHORT_HEADER = 12;

/** Compression methods that embed a JPEG or PNG. They are for printers, not for files. */
const OTHER_PICTURES: ReadonlySet<number> = new Set([4, 5]);

/** What the header of a BMP says. */
interface Header {
  readonly width: number;
  readonly height: number;
  /** Where the pixels begin. */
  readonly pixels: number;
  readonly bitsPerPixel: number;
  /** Whether each row of pixels has its full length. */
  readonly isPlain: boolean;
  /** Pixels per metre; 0 if unknown. */
  readonly perMetre: { readonly x: number; readonly y: number };
}

/** Methods without compression: RGB, and RGB with masks. */
const PLAIN: ReadonlySet<number> = new Set([0, 3, 6]);

/** Whether bytes that begin as a BMP have a valid header. The pixels may be truncated. */
export function isBmp(bytes: Uint8Array): boolean {
  return readHeader(bytes) !== null;
}

/** Reads the header of a BMP, and checks that the file has all its pixels. */
export function readBmp(bytes: Uint8Array): Outcome<RasterFacts> {
  const header = readHeader(bytes);
  if (header === null) return { problem: "is a BMP image that is damaged" };
  const { width, height, pixels, bitsPerPixel, isPlain, perMetre } = header;
  const rowLength = 4 * Math.ceil((width * bitsPerPixel) / 32);
  if (isPlain && rowLength * height > bytes.length - pixels) {
    return { problem: "is a BMP image that is cut off" };
  }
  const isKnown = perMetre.x > 0 && perMetre.y > 0;
  const dpi = { x: dpiOf(perMetre.x), y: dpiOf(perMetre.y) };
  return { width, height, dpi: isKnown ? dpi : null, orientation: null };
}

/** Returns the header of a BMP; null if it is not valid. */
function readHeader(bytes: Uint8Array): Header | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < FILE_HEADER_LENGTH + SHORT_HEADER) return null;
  const pixels = view.getUint32(10, true);
  const length = view.getUint32(FILE_HEADER_LENGTH, true);
  const end = FILE_HEADER_LENGTH + length;
  if (!HEADERS.has(length) || end > bytes.length || pixels < end || pixels >= bytes.length) {
    return null;
  }
  const isShort = length === SHORT_HEADER;
  const width = isShort ? view.getUint16(18, true) : view.getInt32(18, true);
  // A negative height means that the top row comes first.
  const height = isShort ? view.getUint16(20, true) : view.getInt32(22, true);
  const compression = length < 40 ? 0 : view.getUint32(30, true);
  if (width <= 0 || height === 0 || OTHER_PICTURES.has(compression)) return null;
  return {
    width,
    height: Math.abs(height),
    pixels,
    bitsPerPixel: view.getUint16(isShort ? 24 : 28, true),
    isPlain: PLAIN.has(compression),
    perMetre:
      length < 40 ? NO_RESOLUTION : { x: view.getInt32(38, true), y: view.getInt32(42, true) },
  };
}

const NO_RESOLUTION = { x: 0, y: 0 };
