import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const TRUECOLOR = 2;
const TRUECOLOR_WITH_ALPHA = 6;

/** The filter that stores the difference to the pixel on the left. It suits photos, and is fast. */
const SUB = 1;

/** Level 6, the default, takes up to three times as long and saves about 2% in photos. */
const LEVEL = 3;

/** Returns a PNG of pixels with four bytes (RGBA) each. It has an alpha channel only if a pixel is transparent. */
export function writePng(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const isOpaque = areOpaque(pixels);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = isOpaque ? TRUECOLOR : TRUECOLOR_WITH_ALPHA;
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(linesOf(pixels, width, isOpaque ? 3 : 4), { level: LEVEL })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function areOpaque(pixels: Uint8Array): boolean {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255) return false;
  return true;
}

/** Returns the lines of a PNG, each with its filter type and the filtered samples of its pixels. */
function linesOf(pixels: Uint8Array, width: number, samples: number): Uint8Array {
  const rowLength = 4 * width;
  const lineLength = 1 + samples * width;
  const lines = new Uint8Array((pixels.length / rowLength) * lineLength);
  let to = 0;
  for (let row = 0; row < pixels.length; row += rowLength) {
    lines[to++] = SUB;
    for (let at = row; at < row + rowLength; at += 4) {
      for (let sample = at; sample < at + samples; sample++) {
        const left = at === row ? 0 : (pixels[sample - 4] ?? 0);
        lines[to++] = (pixels[sample] ?? 0) - left;
      }
    }
  }
  return lines;
}

function chunk(type: string, content: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(content.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
