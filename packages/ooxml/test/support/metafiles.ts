/** Small pictures of kinds that only templates may contain, and ways to hide files in them. */

/** Returns a record of an EMF. */
export function emfRecord(type: number, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const record = Buffer.alloc(8 + Math.ceil(data.length / 4) * 4);
  record.writeUInt32LE(type, 0);
  record.writeUInt32LE(record.length, 4);
  record.set(data, 8);
  return record;
}

/** Returns a comment of an EMF. */
export function emfComment(data: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length, 0);
  return emfRecord(70, Buffer.concat([length, data]));
}

/** Returns an EMF of 100 by 100 pixels with these records between its header and end record. */
export function emf(...records: readonly Buffer[]): Buffer {
  const end = emfRecord(14, Buffer.alloc(12));
  const header = Buffer.alloc(80);
  for (const at of [8, 12]) header.writeInt32LE(100, at);
  for (const at of [24, 28]) header.writeInt32LE(2_646, at);
  header.write(" EMF", 32, "latin1");
  header.writeUInt32LE(0x10000, 36);
  const all = records.reduce((sum, { length }) => sum + length, 88 + end.length);
  header.writeUInt32LE(all, 40);
  header.writeUInt32LE(records.length + 2, 44);
  header.writeUInt16LE(1, 48);
  for (const at of [64, 68]) header.writeInt32LE(1_000, at);
  for (const at of [72, 76]) header.writeInt32LE(265, at);
  return Buffer.concat([emfRecord(1, header), ...records, end]);
}

/** Returns a record of EMF+. */
export function plusRecord(type: number, flags: number, data: Uint8Array): Buffer {
  const padded = Math.ceil(data.length / 4) * 4;
  const record = Buffer.alloc(12 + padded);
  record.writeUInt16LE(type, 0);
  record.writeUInt16LE(flags, 2);
  record.writeUInt32LE(record.length, 4);
  record.writeUInt32LE(padded, 8);
  record.set(data, 12);
  return record;
}

const VERSION = 0xdbc01002;

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, index * 4);
  return bytes;
}

function floats(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes;
}

/** Returns an EMF+ image with a bitmap file. */
export function plusBitmap(file: Uint8Array): Buffer {
  return Buffer.concat([numbers(VERSION, 1, 0, 0, 0, 0, 1), file]);
}

/** Returns an EMF+ image with a metafile. */
export function plusMetafile(file: Uint8Array): Buffer {
  return Buffer.concat([numbers(VERSION, 2, 3, file.length), file]);
}

/** The records that draw the image with the number 0. */
const DRAWN = Buffer.concat([
  plusRecord(
    0x401b,
    0,
    Buffer.concat([numbers(1, 2), floats(0, 0, 50, 50), numbers(3), floats(0, 0, 90, 0, 0, 90)]),
  ),
  plusRecord(0x4002, 0, Buffer.alloc(0)),
]);

/** Returns an EMF whose EMF+ records define these objects and draw the image. */
export function emfPlus(...objects: readonly Buffer[]): Buffer {
  const header = plusRecord(0x4001, 1, numbers(VERSION, 1, 96, 96));
  const plus = Buffer.concat([Buffer.from("EMF+"), header, ...objects, DRAWN]);
  return emf(emfComment(plus));
}

/** Returns an EMF+ image object. */
export function plusImage(image: Uint8Array): Buffer {
  return plusRecord(0x4008, 0x0500, image);
}

/** Like {@link plusImage}, split into pieces of `size` bytes. */
export function plusImageInPieces(image: Uint8Array, size: number): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < image.length; at += size) {
    const data = Buffer.concat([numbers(image.length), image.subarray(at, at + size)]);
    pieces.push(plusRecord(0x4008, 0x8500, data));
  }
  return Buffer.concat(pieces);
}

/** Returns a record of a WMF. */
export function wmfRecord(type: number, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const record = Buffer.alloc(6 + Math.ceil(data.length / 2) * 2);
  record.writeUInt32LE(record.length / 2, 0);
  record.writeUInt16LE(type, 4);
  record.set(data, 6);
  return record;
}

/** Returns a placeable WMF with these records before its end record. */
export function wmf(...records: readonly Buffer[]): Buffer {
  const placeable = Buffer.alloc(22);
  placeable.writeUInt32LE(0x9ac6cdd7, 0);
  for (const at of [10, 12]) placeable.writeInt16LE(1_000, at);
  placeable.writeUInt16LE(1_440, 14);
  let sum = 0;
  for (let at = 0; at < 20; at += 2) sum ^= placeable.readUInt16LE(at);
  placeable.writeUInt16LE(sum, 20);
  const body = Buffer.concat([...records, wmfRecord(0)]);
  const header = Buffer.alloc(18);
  header.writeUInt16LE(1, 0);
  header.writeUInt16LE(9, 2);
  header.writeUInt16LE(0x300, 4);
  header.writeUInt32LE((18 + body.length) / 2, 6);
  header.writeUInt32LE(body.length / 2, 12);
  return Buffer.concat([placeable, header, body]);
}

/** Returns a WMF with an EMF in its escapes, split into pieces of `size` bytes. */
export function wmfWithEmf(file: Buffer, size = 8_000): Buffer {
  const count = Math.ceil(file.length / size);
  const records = Array.from({ length: count }, (_, index) => {
    const piece = file.subarray(index * size, (index + 1) * size);
    const left = file.length - index * size - piece.length;
    const head = Buffer.alloc(4 + 34);
    head.writeUInt16LE(15, 0);
    head.writeUInt16LE(34 + piece.length, 2);
    head.writeUInt32LE(0x43464d57, 4);
    head.writeUInt32LE(1, 8);
    head.writeUInt32LE(0x10000, 12);
    head.writeUInt32LE(count, 22);
    head.writeUInt32LE(piece.length, 26);
    head.writeUInt32LE(left, 30);
    head.writeUInt32LE(file.length, 34);
    return wmfRecord(0x0626, Buffer.concat([head, piece]));
  });
  return wmf(...records);
}

/** Returns a BMP of one pixel. */
export function bmp(): Buffer {
  const file = Buffer.alloc(58);
  file.write("BM", 0, "latin1");
  file.writeUInt32LE(58, 2);
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(1, 18);
  file.writeInt32LE(1, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  return file;
}

/** Returns a TIFF with one entry in its directory, and the offset of the next directory. */
export function tiff(next = 0): Buffer {
  const file = Buffer.alloc(26);
  file.write("II*\0", 0, "latin1");
  file.writeUInt32LE(8, 4);
  file.writeUInt16LE(1, 8);
  file.writeUInt16LE(0x0100, 10);
  file.writeUInt16LE(3, 12);
  file.writeUInt32LE(1, 14);
  file.writeUInt32LE(1, 18);
  file.writeUInt32LE(next, 22);
  return file;
}
