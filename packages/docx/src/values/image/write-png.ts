import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Equal rows of pixels. */
export interface PngRow {
  readonly cells: readonly number[];
  readonly times: number;
  readonly scale: number;
}

/**
 * Returns a black-and-white PNG with one bit per pixel. In `cells`, 1 is black. Each row is repeated `times` times, and
 * each of its cells is `scale` pixels wide. All rows have the same width.
 */
export function writePng(rows: readonly PngRow[], pixelsPerMetre: number): Uint8Array {
  const width = (rows[0]?.cells.length ?? 0) * (rows[0]?.scale ?? 1);
  const height = rows.reduce((sum, { times }) => sum + times, 0);
  const lineLength = 1 + Math.ceil(width / 8);
  const lines = Buffer.alloc(lineLength * height);
  let at = 0;
  for (const { cells, times, scale } of rows) {
    const line = lineOf(cells, scale, lineLength);
    for (let count = 0; count < times; count++, at += lineLength) lines.set(line, at);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const resolution = Buffer.alloc(9);
  resolution.writeUInt32BE(pixelsPerMetre, 0);
  resolution.writeUInt32BE(pixelsPerMetre, 4);
  resolution[8] = 1;
  return Buffer.concat([
    Buffer.from(SIGNATURE),
    chunk("IHDR", header),
    chunk("pHYs", resolution),
    chunk("IDAT", deflateSync(lines, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Returns one line of a PNG: its filter type (none), then its pixels, where 1 is white. */
function lineOf(cells: readonly number[], scale: number, length: number): Uint8Array {
  const line = new Uint8Array(length);
  let pixel = 0;
  for (const cell of cells) {
    for (let count = 0; count < scale; count++, pixel++) {
      const byte = 1 + (pixel >> 3);
      if (cell === 0) line[byte] = (line[byte] ?? 0) | (0x80 >> (pixel & 7));
    }
  }
  return line;
}

function chunk(type: string, content: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(content.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
