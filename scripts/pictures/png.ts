// Writes small PNG files with a palette, the best compression, and text that identifies their source.

import { crc32, deflateSync } from "node:zlib";

/** Pixels as red, green and blue, row by row from the top. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const NOTE = "Source";

/** Returns a PNG with at most 256 colours. It contains `source` as text; see {@link sourceOf}. */
export function writePng({ width, height, rgb }: Pixels, source = ""): Uint8Array {
  const { palette, indexes } = quantised(rgb);
  const bits = palette.length <= 16 ? 4 : 8;
  const stride = Math.ceil((width * bits) / 8);
  const rows = Buffer.alloc((stride + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const index = indexes[y * width + x] ?? 0;
      const at = y * (stride + 1) + 1 + Math.floor((x * bits) / 8);
      rows[at] = (rows[at] ?? 0) | (bits === 8 || x % 2 === 1 ? index : index << 4);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap((colour) => channels(colour)))),
    ...(source === "" ? [] : [chunk("tEXt", Buffer.from(`${NOTE}\0${source}`, "latin1"))]),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Returns the source of a PNG from {@link writePng}; null if it has none. */
export function sourceOf(png: Uint8Array): string | null {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  for (let at = SIGNATURE.length; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const content = bytes.toString("latin1", at + 8, at + 8 + length);
    const isNote = bytes.toString("latin1", at + 4, at + 8) === "tEXt";
    if (isNote && content.startsWith(`${NOTE}\0`)) return content.slice(NOTE.length + 1);
    at += length + 12;
  }
  return null;
}

function chunk(type: string, content: Uint8Array): Buffer {
  const bytes = Buffer.alloc(content.length + 12);
  bytes.writeUInt32BE(content.length, 0);
  bytes.write(type, 4, "latin1");
  bytes.set(content, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, content.length + 8)), content.length + 8);
  return bytes;
}

const MAX_COLOURS = 256;

/** Returns each pixel as an index into the most common colours, after rounding to 5 bits per channel. */
function quantised(rgb: Uint8Array): { palette: number[]; indexes: Uint8Array } {
  const colours = new Uint32Array(rgb.length / 3);
  const counts = new Map<number, number>();
  for (let at = 0; at < colours.length; at += 1) {
    const [red, green, blue] = [rgb[3 * at] ?? 0, rgb[3 * at + 1] ?? 0, rgb[3 * at + 2] ?? 0];
    const colour = (rounded(red) << 16) | (rounded(green) << 8) | rounded(blue);
    colours[at] = colour;
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = [...counts]
    .sort(([a, many], [b, more]) => more - many || a - b)
    .slice(0, MAX_COLOURS)
    .map(([colour]) => colour);
  const nearest = new Map<number, number>();
  const indexes = Uint8Array.from(colours, (colour) => {
    const known = nearest.get(colour) ?? nearestIndex(palette, colour);
    nearest.set(colour, known);
    return known;
  });
  return { palette, indexes };
}

function rounded(channel: number): number {
  return Math.round((Math.round((channel * 31) / 255) * 255) / 31);
}

function nearestIndex(palette: readonly number[], colour: number): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  const [red, green, blue] = channels(colour);
  for (const [index, candidate] of palette.entries()) {
    const [r, g, b] = channels(candidate);
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (distance < least) [best, least] = [index, distance];
  }
  return best;
}

function channels(colour: number): [number, number, number] {
  return [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];
}
