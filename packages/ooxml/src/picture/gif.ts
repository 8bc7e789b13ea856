import type { Outcome, RasterFacts } from "./outcome.ts";

const DAMAGED = { problem: "is a GIF image that is cut off or damaged" } as const;

const EXTENSION = 0x21;
const IMAGE = 0x2c;

/** Reads a GIF up to the end of its first picture, which is the one that documents show. */
export function readGif(bytes: Uint8Array): Outcome<RasterFacts> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 13) return DAMAGED;
  let at = 13 + colorTableLength(view.getUint8(10));
  while (at < bytes.length) {
    const block = bytes[at];
    if (block === EXTENSION) {
      at = endOfBlocks(bytes, at + 2);
    } else if (block === IMAGE && at + 10 <= bytes.length) {
      const width = view.getUint16(at + 5, true);
      const height = view.getUint16(at + 7, true);
      const pixels = at + 10 + colorTableLength(view.getUint8(at + 9)) + 1;
      const isWhole = pixels < bytes.length && endOfBlocks(bytes, pixels) <= bytes.length;
      return isWhole ? { width, height, dpi: null, orientation: null } : DAMAGED;
    } else {
      return DAMAGED;
    }
  }
  return DAMAGED;
}

function colorTableLength(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}

/** Returns the end of a chain of blocks. Each begins with its length, and the last one is empty. */
function endOfBlocks(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length) {
    const length = bytes[at] ?? 0;
    at += 1 + length;
    if (length === 0) return at;
  }
  return bytes.length + 1;
}
