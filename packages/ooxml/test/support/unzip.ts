import { crc32, inflateRawSync } from "node:zlib";
import PizZip from "pizzip";

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;

/**
 * Returns the contents of a zip by name, in the order of the zip. Throws if the zip is not minimal and consistent: both
 * headers of an entry must agree, entries must be contiguous without other data, and inflating an entry must read all
 * its bytes.
 */
export function unzipped(bytes: Uint8Array): Map<string, Buffer> {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = zip.length - 22;
  if (end < 0 || zip.readUInt32LE(end) !== END)
    throw new Error("The zip does not end with a minimal end record.");
  const count = zip.readUInt16LE(end + 10);
  const directory = zip.readUInt32LE(end + 16);
  if (zip.readUInt16LE(end + 8) !== count || zip.readUInt16LE(end + 20) !== 0) {
    throw new Error("The end record of the zip is wrong.");
  }
  const contents = new Map<string, Buffer>();
  let central = directory;
  let local = 0;
  for (let entry = 0; entry < count; entry++) {
    if (zip.readUInt32LE(central) !== CENTRAL) throw new Error(`Entry ${entry} is not listed.`);
    const nameLength = zip.readUInt16LE(central + 28);
    const name = zip.toString("utf8", central + 46, central + 46 + nameLength);
    if (contents.has(name)) throw new Error(`The zip contains ${name} twice.`);
    if (zip.readUInt32LE(central + 42) !== local) throw new Error(`There is a gap before ${name}.`);
    const { content, next } = entryAt(zip, local, central, name);
    contents.set(name, content);
    local = next;
    central += 46 + nameLength + zip.readUInt16LE(central + 30) + zip.readUInt16LE(central + 32);
  }
  if (local !== directory || central !== end)
    throw new Error("There is data between or after the entries.");
  if (zip.readUInt32LE(end + 12) !== end - directory)
    throw new Error("The size of the directory is wrong.");
  return contents;
}

function entryAt(
  zip: Buffer,
  local: number,
  central: number,
  name: string,
): { readonly content: Buffer; readonly next: number } {
  if (zip.readUInt32LE(local) !== LOCAL) throw new Error(`${name} has no header.`);
  const nameLength = zip.readUInt16LE(local + 26);
  // Version, flags, method, date, checksum, sizes and the length of the name.
  const facts = zip.subarray(local + 4, local + 28);
  if (!facts.equals(zip.subarray(central + 6, central + 30))) {
    throw new Error(`The headers of ${name} differ.`);
  }
  if (zip.toString("utf8", local + 30, local + 30 + nameLength) !== name) {
    throw new Error(`The names in the headers of ${name} differ.`);
  }
  const start = local + 30 + nameLength + zip.readUInt16LE(local + 28);
  const next = start + zip.readUInt32LE(local + 18);
  const content = contentOf(zip.subarray(start, next), zip.readUInt16LE(local + 8), name);
  if (content.length !== zip.readUInt32LE(local + 22))
    throw new Error(`The size of ${name} is wrong.`);
  if (crc32(content) !== zip.readUInt32LE(local + 14))
    throw new Error(`The checksum of ${name} is wrong.`);
  return { content, next };
}

function contentOf(raw: Buffer, method: number, name: string): Buffer {
  if (method === 0) return raw;
  if (method !== 8) throw new Error(`${name} has the compression method ${method}.`);
  const { buffer, engine } = inflateRawSync(raw, { info: true }) as unknown as {
    readonly buffer: Buffer;
    readonly engine: { readonly bytesWritten: number };
  };
  if (engine.bytesWritten !== raw.length)
    throw new Error(`There is data after the content of ${name}.`);
  return buffer;
}

/** Like {@link unzipped}, with another reader, which inflates without zlib. */
export function unzippedElsewhere(bytes: Uint8Array): Map<string, Uint8Array> {
  const { files } = new PizZip(bytes);
  return new Map(Object.values(files).map((file) => [file.name, file.asUint8Array()]));
}
