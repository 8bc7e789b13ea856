import { Buffer } from "node:buffer";
import { crc32, deflateRawSync } from "node:zlib";
import { QuireError } from "@quire/contracts";
import type { ArchiveEntry } from "./archive.ts";
import { documentBytes } from "./document-bytes.ts";

/** The content of an entry, as stored in the zip. */
export interface EntryContent {
  /** 0 for stored, 8 for deflated. */
  readonly method: number;
  readonly crc32: number;
  /** Size in bytes after unpacking. */
  readonly size: number;
  /** The bytes in the zip, in consecutive pieces. */
  readonly pieces: readonly Uint8Array[];
}

/** Compresses content. `level` is zlib's compression level. */
export function deflated(content: Uint8Array, level = 6): EntryContent {
  const pieces = [deflateRawSync(content, { level })];
  return { method: 8, crc32: crc32(content), size: content.length, pieces };
}

/** Returns an entry with this content, compressed. */
export function deflatedEntry(name: string, content: Uint8Array): ArchiveEntry {
  return entryOf(name, deflated(content));
}

/** Returns an entry with this content in the form in which it is stored. */
export function entryOf(name: string, { pieces, ...facts }: EntryContent): ArchiveEntry {
  const [raw = new Uint8Array()] = pieces;
  return { name, ...facts, raw: pieces.length > 1 ? Buffer.concat(pieces) : raw };
}

/** Returns this content uncompressed. */
export function stored(content: Uint8Array): EntryContent {
  return { method: 0, crc32: crc32(content), size: content.length, pieces: [content] };
}

/** The date of every entry: 1980-01-01, the first day that a zip can express. */
const FIXED_DATE = 0x21;

/** The version of the format that supports folders and DEFLATE: 2.0. */
const VERSION = 20;

/** Marks names as UTF-8. */
const UTF8_NAMES = 0x800;

const LOCAL_SIZE = 30;
const CENTRAL_SIZE = 46;
const END_SIZE = 22;

/** Maximum values without the 64-bit extension of zip. */
const MAX_ENTRIES = 0xffff;
const MAX_SIZE = 0xffff_ffff;

/** Offsets of the fields common to both headers of an entry, counted from the version field. */
const METHOD = 4;
const DATE = 8;
const CHECKSUM = 10;
const COMPRESSED_SIZE = 14;
const FULL_SIZE = 18;
const NAME_LENGTH = 22;

const LOCAL_SIGNATURE = 0x04034b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const END_SIGNATURE = 0x06054b50;

/** An entry with the same content in every zip, or the name of an entry whose content differs. */
export type PlannedEntry = ArchiveEntry | string;

/**
 * Writes zips with the same entries in the same order. Entries with the same content in each zip, and all headers, are
 * prepared once, so that only a few numbers have to be filled in.
 */
export class ZipPlan {
  /** The bytes before each content that differs, and finally the bytes after the last one. */
  readonly #blobs: readonly Buffer[];
  readonly #directory: Buffer;
  /**
   * For each entry: the position of its header in the directory, the position of its local header if all differing
   * contents were empty, and the number of differing contents before it.
   */
  readonly #headers: readonly number[];
  readonly #offsets: readonly number[];
  readonly #before: readonly number[];
  /** The indexes of the entries whose contents differ. */
  readonly #open: readonly number[];
  readonly #fixedSize: number;

  constructor(entries: readonly PlannedEntry[]) {
    const blobs: Buffer[] = [];
    const headers: number[] = [];
    const offsets: number[] = [];
    const before: number[] = [];
    const open: number[] = [];
    const central: Buffer[] = [];
    let blob: Uint8Array[] = [];
    let [at, headerAt] = [0, 0];
    for (const [index, entry] of entries.entries()) {
      const local = headerOf(entry, LOCAL_SIGNATURE, LOCAL_SIZE, 4);
      const header = headerOf(entry, CENTRAL_SIGNATURE, CENTRAL_SIZE, 6);
      header.writeUInt16LE(VERSION, 4);
      headers.push(headerAt);
      offsets.push(at);
      before.push(open.length);
      central.push(header);
      headerAt += header.length;
      blob.push(local);
      at += local.length;
      if (typeof entry === "string") {
        open.push(index);
        blobs.push(Buffer.concat(blob));
        blob = [];
      } else {
        blob.push(entry.raw);
        at += entry.raw.length;
      }
    }
    this.#blobs = [...blobs, Buffer.concat(blob)];
    this.#directory = Buffer.concat([...central, endOf(entries.length, headerAt)]);
    this.#headers = headers;
    this.#offsets = offsets;
    this.#before = before;
    this.#open = open;
    this.#fixedSize = at + this.#directory.length;
  }

  /**
   * Writes a zip with these contents for the entries that differ, in order. Throws `limit_exceeded` for a zip of 4 GB
   * or more, or with 65,535 entries or more.
   */
  write(contents: readonly EntryContent[]): Uint8Array {
    const behind = [0];
    for (const { pieces } of contents) behind.push((behind.at(-1) ?? 0) + lengthOf(pieces));
    const size = this.#fixedSize + (behind.at(-1) ?? 0);
    if (size >= MAX_SIZE || this.#headers.length >= MAX_ENTRIES) {
      throw new QuireError(
        "limit_exceeded",
        `The document is too large for a .docx file: it has ${this.#headers.length} parts and ${size} bytes. Make it smaller.`,
      );
    }
    const zip = documentBytes(size);
    const view = new DataView(zip.buffer);
    let at = 0;
    for (const [index, content] of contents.entries()) {
      const blob = this.#blobs[index] as Buffer;
      zip.set(blob, at);
      const entry = this.#open[index] as number;
      at = (this.#offsets[entry] as number) + (behind[index] as number);
      writeContent(view, at + 4, content, lengthOf(content.pieces));
      at += view.getUint16(at + 4 + NAME_LENGTH, true) + LOCAL_SIZE;
      for (const piece of content.pieces) {
        zip.set(piece, at);
        at += piece.length;
      }
    }
    const last = this.#blobs.at(-1) as Buffer;
    zip.set(last, at);
    zip.set(this.#directory, at + last.length);
    this.#writeDirectory(view, at + last.length, contents, behind);
    return zip;
  }

  #writeDirectory(
    zip: DataView,
    start: number,
    contents: readonly EntryContent[],
    behind: readonly number[],
  ): void {
    for (let index = 0; index < this.#headers.length; index++) {
      const more = behind[this.#before[index] as number] as number;
      const header = start + (this.#headers[index] as number);
      zip.setUint32(header + 42, (this.#offsets[index] as number) + more, true);
    }
    for (const [index, content] of contents.entries()) {
      const header = start + (this.#headers[this.#open[index] as number] as number);
      writeContent(zip, header + 6, content, lengthOf(content.pieces));
    }
    zip.setUint32(start + this.#directory.length - END_SIZE + 16, start, true);
  }
}

/**
 * Returns a header of an entry. `at` is the offset of the version field, where the fields common to both headers begin.
 */
function headerOf(entry: PlannedEntry, signature: number, size: number, at: number): Buffer {
  const text = typeof entry === "string" ? entry : entry.name;
  const name = Buffer.from(text);
  const header = Buffer.alloc(size + name.length);
  header.writeUInt32LE(signature, 0);
  header.writeUInt16LE(VERSION, at);
  header.writeUInt16LE(name.length === text.length ? 0 : UTF8_NAMES, at + 2);
  header.writeUInt16LE(FIXED_DATE, at + DATE);
  header.writeUInt16LE(name.length, at + NAME_LENGTH);
  if (typeof entry !== "string") {
    const view = new DataView(header.buffer, header.byteOffset, header.length);
    writeContent(view, at, entry, entry.raw.length);
  }
  header.set(name, size);
  return header;
}

function writeContent(
  zip: DataView,
  at: number,
  { method, crc32: sum, size }: Pick<EntryContent, "method" | "crc32" | "size">,
  compressedSize: number,
): void {
  zip.setUint16(at + METHOD, method, true);
  zip.setUint32(at + CHECKSUM, sum, true);
  zip.setUint32(at + COMPRESSED_SIZE, compressedSize, true);
  zip.setUint32(at + FULL_SIZE, size, true);
}

function endOf(entries: number, directorySize: number): Buffer {
  const end = Buffer.alloc(END_SIZE);
  end.writeUInt32LE(END_SIGNATURE, 0);
  end.writeUInt16LE(entries & MAX_ENTRIES, 8);
  end.writeUInt16LE(entries & MAX_ENTRIES, 10);
  end.writeUInt32LE(directorySize, 12);
  return end;
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
}
