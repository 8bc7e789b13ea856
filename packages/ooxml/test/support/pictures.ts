import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Returns a chunk of a PNG with its length and checksum. */
export function pngChunk(type: string, content: Uint8Array): Buffer {
  const chunk = Buffer.alloc(content.length + 12);
  chunk.writeUInt32BE(content.length, 0);
  chunk.write(type, 4, "latin1");
  chunk.set(content, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, content.length + 8)), content.length + 8);
  return chunk;
}

/** Returns the content of an `IHDR` for colors of eight bits. */
export function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return header;
}

/** Returns a PNG of one color; `extra` chunks follow its header. */
export function png(width: number, height: number, ...extra: Buffer[]): Buffer {
  const pixels = Buffer.alloc((1 + 3 * width) * height);
  return Buffer.concat([
    SIGNATURE,
    pngChunk("IHDR", pngHeader(width, height)),
    ...extra,
    pngChunk("IDAT", deflateSync(pixels)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Returns a `pHYs` chunk. */
export function pngResolution(x: number, y: number, unit = 1): Buffer {
  const content = Buffer.alloc(9);
  content.writeUInt32BE(x, 0);
  content.writeUInt32BE(y, 4);
  content[8] = unit;
  return pngChunk("pHYs", content);
}

/** A progressive JPEG of 24 by 16 pixels, and a gray JPEG of the same size with 300 by 150 dpi. */
export const JPEG = Buffer.from(
  "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhl" +
    "bXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8" +
    "fHx8fHx8fHx8fHx8fHz/wgARCAAQABgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAWAQEBAQAAAAAAAAAA" +
    "AAAAAAAAAwX/2gAMAwEAAhADEAAAAZRHQA//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAEFAl//xAAUEQEAAAAAAAAA" +
    "AAAAAAAAAAAQ/9oACAEDAQE/AT//xAAUEQEAAAAAAAAAAAAAAAAAAAAQ/9oACAECAQE/AT//xAAUEAEAAAAAAAAAAAAAAAAA" +
    "AAAg/9oACAEBAAY/Al//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAE/IV//2gAMAwEAAgADAAAAEPvv/8QAFBEBAAAA" +
    "AAAAAAAAAAAAAAAAEP/aAAgBAwEBPxA//8QAFBEBAAAAAAAAAAAAAAAAAAAAEP/aAAgBAgEBPxA//8QAFBABAAAAAAAAAAAA" +
    "AAAAAAAAIP/aAAgBAQABPxBf/9k=",
  "base64",
);
export const GRAY_JPEG = Buffer.from(
  "/9j/4AAQSkZJRgABAQEBLACWAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWG" +
    "kJ6jq62rZ4C8ybqmx5moq6T/wAALCAAQABgBAREA/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAA" +
    "AAAA/9oACAEBAAA/AJAAf//Z",
  "base64",
);

/** A GIF of five by three pixels. */
export const GIF = Buffer.from(
  "47494638376105000300810000ff00000000000000000000002c00000000050003000008080001081c48b06040003b",
  "hex",
);

/** Returns a JPEG with another segment directly after its start. */
export function withSegment(jpeg: Buffer, marker: number, content: Uint8Array): Buffer {
  const head = Buffer.from([0xff, 0xd8, 0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 4);
  return Buffer.concat([head, content, jpeg.subarray(2)]);
}

/** EXIF data with an orientation and optionally a resolution, in either byte order. */
export function exif(
  orientation: number,
  { dpi, unit = 2, isLittle = false }: { dpi?: number; unit?: number; isLittle?: boolean } = {},
): Buffer {
  const entries: [number, number, number][] = [[0x0112, 3, orientation]];
  if (dpi !== undefined) entries.push([0x011a, 5, dpi], [0x011b, 5, dpi], [0x0128, 3, unit]);
  const end = 10 + 12 * entries.length + 4;
  const bytes = Buffer.alloc(end + 8 * entries.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  bytes.write(isLittle ? "II" : "MM", 0, "latin1");
  view.setUint16(2, 42, isLittle);
  view.setUint32(4, 8, isLittle);
  view.setUint16(8, entries.length, isLittle);
  for (const [index, [tag, type, value]] of entries.entries()) {
    const at = 10 + 12 * index;
    view.setUint16(at, tag, isLittle);
    view.setUint16(at + 2, type, isLittle);
    view.setUint32(at + 4, 1, isLittle);
    if (type === 3) view.setUint16(at + 8, value, isLittle);
    else {
      view.setUint32(at + 8, end + 8 * index, isLittle);
      view.setUint32(end + 8 * index, value * 10, isLittle);
      view.setUint32(end + 8 * index + 4, 10, isLittle);
    }
  }
  return bytes;
}

/** Returns a JPEG with EXIF data and without its JFIF segment, as cameras write it. */
export function exifJpeg(...parameters: Parameters<typeof exif>): Buffer {
  const jfifLength = JPEG.readUInt16BE(4);
  const bare = Buffer.concat([JPEG.subarray(0, 2), JPEG.subarray(4 + jfifLength)]);
  return withSegment(bare, 0xe1, Buffer.concat([Buffer.from("Exif\0\0"), exif(...parameters)]));
}

/** Returns the pixels of a one-bit PNG as rows of `#` (black) and spaces. */
export function monochromePixels(bytes: Uint8Array): string[] {
  const file = Buffer.from(bytes);
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const pixels: Buffer[] = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    const length = file.readUInt32BE(at);
    if (file.toString("latin1", at + 4, at + 8) === "IDAT") {
      pixels.push(file.subarray(at + 8, at + 8 + length));
    }
  }
  const lines = inflateSync(Buffer.concat(pixels));
  const lineLength = 1 + Math.ceil(width / 8);
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => {
      const byte = lines[y * lineLength + 1 + (x >> 3)] ?? 0;
      return (byte & (0x80 >> (x & 7))) === 0 ? "#" : " ";
    }).join(""),
  );
}
