import { type ExifFacts, readExif } from "./exif.ts";
import type { Outcome, RasterFacts } from "./outcome.ts";

const DAMAGED = { problem: "is a WebP image that is cut off or damaged" } as const;
const ANIMATED = { problem: "is an animated WebP image: give one without animation" } as const;

const FILE_HEADER_LENGTH = 12;
const CHUNK_HEADER_LENGTH = 8;

/** The bit of the `VP8X` flags for an animation. */
const ANIMATION = 0x02;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Whether bytes begin as a WebP image. */
export function isWebp(bytes: Uint8Array): boolean {
  return bytes.length >= FILE_HEADER_LENGTH && tag(bytes, 0) === "RIFF" && tag(bytes, 8) === "WEBP";
}

interface Found {
  canvas: Size | null;
  size: Size | null;
  exif: ExifFacts | null;
  isAnimated: boolean;
}

/**
 * Reads a WebP image from chunk to chunk (RFC 9649) and checks that the file is complete. Does not decode the pixels.
 * An animation is a problem, because documents are still. The bytes must begin as a WebP image.
 */
export function readWebp(bytes: Uint8Array): Outcome<RasterFacts> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = CHUNK_HEADER_LENGTH + view.getUint32(4, true);
  if (end > bytes.length) return DAMAGED;
  const found: Found = { canvas: null, size: null, exif: null, isAnimated: false };
  for (const { type, content } of chunksOf(bytes.subarray(0, end))) {
    if (content === null) return DAMAGED;
    readChunk(type, content, found);
  }
  const { canvas, size, exif, isAnimated } = found;
  if (isAnimated) return ANIMATED;
  if (size === null) return DAMAGED;
  if (canvas !== null && (canvas.width !== size.width || canvas.height !== size.height)) {
    return DAMAGED;
  }
  return { ...size, dpi: exif?.dpi ?? null, orientation: exif?.orientation ?? null };
}

/** Adds what a chunk says. If a chunk is repeated, the first one counts. */
function readChunk(type: string, content: Uint8Array, found: Found): void {
  if (type === "VP8X") {
    found.canvas ??= canvasSize(content);
    found.isAnimated ||= ((content[0] ?? 0) & ANIMATION) !== 0;
  }
  if (type === "VP8 ") found.size ??= lossySize(content);
  if (type === "VP8L") found.size ??= losslessSize(content);
  if (type === "EXIF") found.exif ??= readExif(withoutPrefix(content));
}

interface Chunk {
  readonly type: string;
  /** Null if the file ends first. */
  readonly content: Uint8Array | null;
}

/** Yields the chunks in order. The last one may be cut off. */
function* chunksOf(bytes: Uint8Array): Generator<Chunk, void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = FILE_HEADER_LENGTH; at + CHUNK_HEADER_LENGTH <= bytes.length; ) {
    const length = view.getUint32(at + 4, true);
    const start = at + CHUNK_HEADER_LENGTH;
    const isWhole = start + length <= bytes.length;
    yield { type: tag(bytes, at), content: isWhole ? bytes.subarray(start, start + length) : null };
    // A chunk with an odd length is followed by one more byte.
    at = start + length + (length % 2);
  }
}

function canvasSize(content: Uint8Array): Size | null {
  if (content.length < 10) return null;
  return { width: 1 + littleEndian(content, 4, 3), height: 1 + littleEndian(content, 7, 3) };
}

/** Returns the size in the header of a key frame (RFC 6386, 9.1), which is the only kind of frame in a WebP image. */
function lossySize(content: Uint8Array): Size | null {
  const isKeyFrame = ((content[0] ?? 1) & 1) === 0;
  if (content.length < 10 || !isKeyFrame || littleEndian(content, 3, 3) !== 0x2a_01_9d) return null;
  // The two highest bits are a scale for the player.
  return {
    width: littleEndian(content, 6, 2) & 0x3fff,
    height: littleEndian(content, 8, 2) & 0x3fff,
  };
}

function losslessSize(content: Uint8Array): Size | null {
  if (content.length < 5 || content[0] !== 0x2f) return null;
  const bits = littleEndian(content, 1, 4);
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
}

function littleEndian(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = length - 1; index >= 0; index--) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}

/** Some programs write the prefix that EXIF data has in a JPEG. */
function withoutPrefix(content: Uint8Array): Uint8Array {
  return tag(content, 0) === "Exif" ? content.subarray(6) : content;
}

function tag(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}
