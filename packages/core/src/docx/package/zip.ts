import { crc32, deflateRawSync } from "node:zlib";
import { QuireError } from "../../errors.ts";
import type { ArchiveEntry } from "./archive.ts";

/** An entry with this content, compressed. */
export function deflated(name: string, content: Uint8Array): ArchiveEntry {
  return {
    name,
    method: 8,
    crc32: crc32(content),
    size: content.length,
    raw: deflateRawSync(content),
  };
}

/** An entry with this content as it is. */
export function stored(name: string, content: Uint8Array): ArchiveEntry {
  return { name, method: 0, crc32: crc32(content), size: content.length, raw: content };
}

/** The first day that a zip can tell, 1980-01-01, as the date of every entry. */
const FIXED_DATE = 0x21;

/** The version of the format that has folders and DEFLATE: 2.0. */
const VERSION = 20;

/** Says that names are UTF-8. */
const UTF8_NAMES = 0x800;

const LOCAL_SIZE = 30;
const CENTRAL_SIZE = 46;
const END_SIZE = 22;

/** The most that a zip can tell without its 64-bit extension. */
const MAX_ENTRIES = 0xffff;
const MAX_SIZE = 0xffff_ffff;

/** A zip of these entries in this order. Throws `limit_exceeded` when it becomes 4 GB or more. */
export function writeZip(entries: readonly ArchiveEntry[]): Uint8Array {
  const named = entries.map((entry) => ({ entry, name: Buffer.from(entry.name) }));
  const directoryStart = sum(
    named.map((each) => LOCAL_SIZE + each.name.length + each.entry.raw.length),
  );
  const directorySize = sum(named.map(({ name }) => CENTRAL_SIZE + name.length));
  const size = directoryStart + directorySize + END_SIZE;
  if (size >= MAX_SIZE || entries.length >= MAX_ENTRIES) {
    throw new QuireError(
      "limit_exceeded",
      `The document is too large for a .docx file: it has ${entries.length} parts and ${size} bytes. Make it smaller.`,
    );
  }
  const zip = Buffer.alloc(size);
  let local = 0;
  let central = directoryStart;
  for (const { entry, name } of named) {
    zip.writeUInt32LE(CENTRAL_SIGNATURE, central);
    zip.writeUInt16LE(VERSION, central + 4);
    writeFacts(zip, central + 6, entry, name);
    zip.writeUInt32LE(local, central + 42);
    name.copy(zip, central + CENTRAL_SIZE);
    central += CENTRAL_SIZE + name.length;

    zip.writeUInt32LE(LOCAL_SIGNATURE, local);
    writeFacts(zip, local + 4, entry, name);
    name.copy(zip, local + LOCAL_SIZE);
    zip.set(entry.raw, local + LOCAL_SIZE + name.length);
    local += LOCAL_SIZE + name.length + entry.raw.length;
  }
  zip.writeUInt32LE(END_SIGNATURE, central);
  zip.writeUInt16LE(entries.length, central + 8);
  zip.writeUInt16LE(entries.length, central + 10);
  zip.writeUInt32LE(directorySize, central + 12);
  zip.writeUInt32LE(directoryStart, central + 16);
  return zip;
}

/** What both headers of an entry tell of it, in the same order. */
function writeFacts(zip: Buffer, at: number, entry: ArchiveEntry, name: Buffer): void {
  const isAscii = name.length === entry.name.length;
  zip.writeUInt16LE(VERSION, at);
  zip.writeUInt16LE(isAscii ? 0 : UTF8_NAMES, at + 2);
  zip.writeUInt16LE(entry.method, at + 4);
  zip.writeUInt16LE(FIXED_DATE, at + 8);
  zip.writeUInt32LE(entry.crc32, at + 10);
  zip.writeUInt32LE(entry.raw.length, at + 14);
  zip.writeUInt32LE(entry.size, at + 18);
  zip.writeUInt16LE(name.length, at + 22);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

const LOCAL_SIGNATURE = 0x04034b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const END_SIGNATURE = 0x06054b50;
