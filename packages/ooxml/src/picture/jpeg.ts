import { readExif } from "./exif.ts";
import type { Outcome, RasterFacts, Resolution } from "./outcome.ts";

const DAMAGED = { problem: "is a JPEG image that is cut off or damaged" } as const;
const UNUSUAL = {
  problem:
    "is a JPEG image of a kind that Word cannot show: save it as a baseline or progressive JPEG",
} as const;

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const APP0 = 0xe0;
const APP1 = 0xe1;

const CENTIMETRES_PER_INCH = 2.54;

/** The frames that every reader supports: baseline, extended sequential and progressive, with Huffman codes. */
const COMMON_FRAMES = new Set([0xc0, 0xc1, 0xc2]);

/** All frames, including lossless, differential and arithmetic ones. */
const FRAMES = new Set([
  ...COMMON_FRAMES,
  0xc3,
  0xc5,
  0xc6,
  0xc7,
  0xc9,
  0xca,
  0xcb,
  0xcd,
  0xce,
  0xcf,
]);

interface Found {
  frame: { readonly width: number; readonly height: number } | null;
  hasScan: boolean;
  jfif: Resolution | null;
  exif: Resolution | null;
  orientation: number | null;
}

/**
 * Reads a JPEG from segment to segment until its end, which a truncated file does not have. The JFIF resolution
 * takes precedence over the EXIF resolution.
 */
export function readJpeg(bytes: Uint8Array): Outcome<RasterFacts> {
  const found: Found = { frame: null, hasScan: false, jfif: null, exif: null, orientation: null };
  let at = nextMarker(bytes, 2);
  while (at !== -1 && bytes[at] !== END_OF_IMAGE) {
    const marker = bytes[at] ?? 0;
    const content = contentAt(bytes, at);
    if (content === null) return DAMAGED;
    if (FRAMES.has(marker)) {
      if (!COMMON_FRAMES.has(marker) || content[0] !== 8) return UNUSUAL;
      found.frame ??= readFrame(content);
    } else {
      readSegment(marker, content, found);
    }
    at = nextMarker(bytes, content.byteOffset - bytes.byteOffset + content.length);
  }
  const { frame, hasScan, orientation } = found;
  if (at === -1 || frame === null || !hasScan) return DAMAGED;
  return { ...frame, dpi: found.jfif ?? found.exif, orientation };
}

/** Whether a JPEG of any kind has a frame header with its size. The rest may be missing or damaged. */
export function hasJpegFrame(bytes: Uint8Array): boolean {
  for (let at = nextMarker(bytes, 2); at !== -1; ) {
    const content = contentAt(bytes, at);
    if (content === null || bytes[at] === START_OF_SCAN) return false;
    if (FRAMES.has(bytes[at] ?? 0)) return content.length >= 6;
    at = nextMarker(bytes, content.byteOffset - bytes.byteOffset + content.length);
  }
  return false;
}

/** Returns the content of a segment after its marker and length. Returns null if the file ends first. */
function contentAt(bytes: Uint8Array, marker: number): Uint8Array | null {
  if (isBare(bytes[marker] ?? 0)) return bytes.subarray(marker + 1, marker + 1);
  const length = ((bytes[marker + 1] ?? 0) << 8) | (bytes[marker + 2] ?? 0);
  const end = marker + 1 + length;
  return length < 2 || end > bytes.length ? null : bytes.subarray(marker + 3, end);
}

function readSegment(marker: number, content: Uint8Array, found: Found): void {
  if (marker === START_OF_SCAN) found.hasScan = true;
  if (marker === APP0 && startsWith(content, "JFIF\0")) found.jfif ??= readJfif(content);
  if (marker === APP1 && startsWith(content, "Exif\0\0") && found.orientation === null) {
    const { orientation, dpi } = readExif(content.subarray(6));
    found.orientation = orientation;
    found.exif ??= dpi;
  }
}

/**
 * Returns the position of the next marker, from `start` on, or -1. Skips the pixels of a scan: a 0xFF
 * in them is followed by zero, and restart markers belong to them.
 */
function nextMarker(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at)) {
    while (bytes[at] === 0xff) at += 1;
    if (at >= bytes.length) return -1;
    if (bytes[at] !== 0 && !isRestart(bytes[at] ?? 0)) return at;
  }
  return -1;
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7;
}

/** Whether a marker has neither length nor content: SOI and TEM. */
function isBare(marker: number): boolean {
  return marker === 0xd8 || marker === 0x01;
}

function readFrame(content: Uint8Array): Found["frame"] {
  if (content.length < 6) return null;
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  return { width: view.getUint16(3), height: view.getUint16(1) };
}

function readJfif(content: Uint8Array): Resolution | null {
  if (content.length < 12) return null;
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const unit = view.getUint8(7);
  if (unit !== 1 && unit !== 2) return null;
  const perInch = unit === 2 ? CENTIMETRES_PER_INCH : 1;
  return { x: view.getUint16(8) * perInch, y: view.getUint16(10) * perInch };
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (bytes[index] !== text.charCodeAt(index)) return false;
  }
  return true;
}
