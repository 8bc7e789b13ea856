import { crc32, deflateSync } from "node:zlib";
import { seededRandom } from "./random.ts";

/** Returns a PNG of random pixels, which cannot be compressed: about 3 bytes per pixel. */
export function noisePng(width: number, height: number, seed: number): Buffer {
  const random = seededRandom(seed);
  const lines = Buffer.alloc(height * (1 + width * 3));
  for (let at = 0; at < lines.length; at++) {
    // Each line begins with the number of its filter. 0 means no filter.
    lines[at] = at % (1 + width * 3) === 0 ? 0 : random.below(256);
  }
  return encodePng(width, height, lines);
}

/**
 * Returns a PNG of filtered lines. Each line is a byte with the number of its filter, followed by 3 bytes per pixel.
 */
export function encodePng(width: number, height: number, lines: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(lines)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(content.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
