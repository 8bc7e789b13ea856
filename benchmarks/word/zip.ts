import { crc32, deflateRawSync } from "node:zlib";

/** A file in a zip archive. */
export interface ZipFile {
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** 1 January 1980, the earliest date in a zip archive. A fixed date makes equal files give equal bytes. */
const DOS_DATE = 0x21;
const DEFLATED = 8;

/** Writes a zip archive as Word does: deflated, with names in ASCII, without directories. */
export function writeZip(files: readonly ZipFile[]): Uint8Array {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of files) {
    const bytes = Buffer.from(content);
    const body = deflateRawSync(bytes, { level: 6 });
    const shared = sharedFields(bytes, body.length, name);
    const header = Buffer.concat([fields([[4, 0x04034b50]]), shared, fields([[2, 0]])]);
    local.push(header, Buffer.from(name), body);
    central.push(
      fields([
        [4, 0x02014b50],
        [2, 45],
      ]),
      shared,
      fields([
        [2, 0],
        [2, 0],
        [2, 0],
        [2, 0],
        [4, 0],
        [4, offset],
      ]),
      Buffer.from(name),
    );
    offset += header.length + name.length + body.length;
  }
  const directory = Buffer.concat(central);
  const end = fields([
    [4, 0x06054b50],
    [4, 0],
    [2, files.length],
    [2, files.length],
    [4, directory.length],
    [4, offset],
    [2, 0],
  ]);
  return Buffer.concat([...local, directory, end]);
}

/**
 * Returns the fields that a local header and a central directory entry share: from the version to the length of the
 * name.
 */
function sharedFields(bytes: Uint8Array, compressed: number, name: string): Buffer {
  return fields([
    [2, 20],
    [2, 0],
    [2, DEFLATED],
    [2, 0],
    [2, DOS_DATE],
    [4, crc32(bytes)],
    [4, compressed],
    [4, bytes.length],
    [2, name.length],
  ]);
}

/** Returns numbers in little-endian order. Each one has its width in bytes. */
function fields(values: readonly (readonly [width: 2 | 4, value: number])[]): Buffer {
  const buffer = Buffer.alloc(values.reduce((sum, [width]) => sum + width, 0));
  let at = 0;
  for (const [width, value] of values) at = buffer.writeUIntLE(value, at, width);
  return buffer;
}
