import { isUtf8 } from "node:buffer";
import { crc32, inflateRawSync } from "node:zlib";
import type { QuireError } from "@quire/contracts";
import {
  type Entry,
  fromRandomAccessReader,
  getFileNameLowLevel,
  type LocalFileHeader,
  RandomAccessReader,
  type ZipFile,
} from "yauzl";
import type { PackageLimits } from "../limits/limits.ts";
import { notWord, tooLarge, tooMany } from "../limits/refusal.ts";
import { nameKey, nameProblem } from "../xml/part-names.ts";

/** A zip entry in its stored form. */
export interface ArchiveEntry {
  /** Its path, with `/` between segments. */
  readonly name: string;
  /** 0 for stored, 8 for deflated; other methods are rejected. */
  readonly method: number;
  /** The checksum of the unpacked bytes, as the zip declares it. Unpacking verifies it. */
  readonly crc32: number;
  /** Size in bytes after unpacking. */
  readonly size: number;
  /** The bytes in the zip. */
  readonly raw: Uint8Array;
}

/** The flag of an entry whose name is in UTF-8. */
const UTF8_NAME = 0x800;

const STORED = 0;
const DEFLATED = 8;

/** Minimum size in bytes of an entry whose ratio is checked. White space alone reaches a ratio of 1,000. */
const RATIO_COUNTS_FROM = 1_000_000;

/** A ratio that DEFLATE cannot reach (its maximum is 1,032), so the sizes of the entry are false. */
const IMPOSSIBLE_RATIO = 1_040;

/**
 * Returns the entries of a zip by {@link nameKey}, in order, without folders. Throws `invalid_template`, with a
 * specific message for each way in which the bytes are not a zip or are ambiguous. Throws `limit_exceeded` if the zip
 * is too large. Nothing is unpacked.
 */
export function openArchive(bytes: Uint8Array, limits: PackageLimits): Map<string, ArchiveEntry> {
  const reason = notAZip(bytes);
  if (reason !== null) throw notWord(reason);
  const zip = readDirectory(bytes, limits);
  const entries = new Map<string, ArchiveEntry>();
  const spans: Span[] = [];
  let total = 0;
  for (const entry of zip.entries) {
    // Reads the name in the header. An extra field may contain a different name, which some readers use and Word
    // ignores.
    const name = getFileNameLowLevel(UTF8_NAME, entry.fileNameRaw, [], false);
    const problem = isUtf8(entry.fileNameRaw) ? nameProblem(name) : "has a name that is not UTF-8";
    if (problem !== null) throw notWord(`its entry ${JSON.stringify(name)} ${problem}`);
    if (entry.isEncrypted()) throw notWord("its content is encrypted");
    if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
      throw notWord(`its part ${name} is compressed with a method that Word does not use`);
    }
    const header = zip.localHeader(entry);
    if (!agrees(entry, header)) throw lying(name);
    const end = header.fileDataStart + entry.compressedSize;
    spans.push({ name, start: entry.relativeOffsetOfLocalHeader, end });
    total += entry.uncompressedSize;
    checkSize(entry, name, limits);
    if (total > limits.totalBytes) throw tooLarge("it", total, limits.totalBytes);
    if (name.endsWith("/")) continue;
    const key = nameKey(name);
    const other = entries.get(key);
    if (other !== undefined) throw notWord(`it contains two parts ${other.name} and ${name}`);
    entries.set(key, {
      name,
      method: entry.compressionMethod,
      crc32: entry.crc32,
      size: entry.uncompressedSize,
      raw: bytes.subarray(header.fileDataStart, end),
    });
  }
  checkOverlaps(spans, zip.directoryStart);
  return entries;
}

/**
 * Returns the complete, valid content of an entry. Unpacking stops at the size that the zip declares. Throws
 * `invalid_template` when the content differs from the declaration.
 */
export function inflate(entry: ArchiveEntry): Uint8Array {
  const content = entry.method === STORED ? entry.raw : inflateRaw(entry);
  if (content.length !== entry.size || crc32(content) !== entry.crc32) throw damaged(entry.name);
  return content;
}

/** Minimum size in bytes of content to release. Smaller content is left to the garbage collector. */
const RELEASED_FROM = 1_000_000;

/**
 * Frees the memory of content from {@link inflate}, which must not be read afterwards. Without this, two pieces of
 * content with 100 MB each would remain in memory until the next collection.
 */
export function release(entry: ArchiveEntry, content: Uint8Array): void {
  const { buffer } = content;
  // Stored content is part of the zip itself.
  if (entry.method === STORED || buffer.byteLength < RELEASED_FROM) return;
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

function inflateRaw({ name, size, raw }: ArchiveEntry): Uint8Array {
  // The whole result fits into one chunk. Several chunks would be in memory together with the result.
  const chunkSize = Math.max(size + 1, 64);
  try {
    return inflateRawSync(raw, { maxOutputLength: Math.max(size, 1), chunkSize });
  } catch (cause) {
    throw damaged(name, cause);
  }
}

function checkSize(entry: Entry, fileName: string, limits: PackageLimits): void {
  const { compressedSize, uncompressedSize: size } = entry;
  if (size > limits.partBytes) throw tooLarge(`its part ${fileName}`, size, limits.partBytes);
  if (size > RATIO_COUNTS_FROM && size > compressedSize * limits.ratio) {
    throw notWord(
      `its part ${fileName} expands to more than ${limits.ratio} times its size in the file, as in a zip bomb`,
    );
  }
  if (size > compressedSize * IMPOSSIBLE_RATIO + RATIO_COUNTS_FROM) throw lying(fileName);
}

/** Whether both headers of an entry agree. The local header may lack some values. */
function agrees(entry: Entry, local: LocalFileHeader): boolean {
  if (local.compressionMethod !== entry.compressionMethod) return false;
  if (!entry.fileNameRaw.equals(local.fileName)) return false;
  if (((local.generalPurposeBitFlag ^ entry.generalPurposeBitFlag) & ENCRYPTED) !== 0) return false;
  if ((local.generalPurposeBitFlag & SIZES_FOLLOW) !== 0) return true;
  const same = (first: number, second: number): boolean => first === second || first === ZIP64;
  return (
    same(local.compressedSize, entry.compressedSize) &&
    same(local.uncompressedSize, entry.uncompressedSize) &&
    local.crc32 === entry.crc32
  );
}

/** Bits of an entry's flags. */
const ENCRYPTED = 1;
const SIZES_FOLLOW = 8;

/** Marks a size that is stored elsewhere, in 64 bits. */
const ZIP64 = 0xffff_ffff;

interface Span {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Throws when two entries share bytes: overlapping entries let a small file unpack to a large one. */
function checkOverlaps(spans: Span[], directoryStart: number): void {
  spans.sort((a, b) => a.start - b.start);
  let end = 0;
  for (const span of spans) {
    if (span.start < end) throw notWord(`its part ${span.name} overlaps another in the zip`);
    end = span.end;
  }
  if (end > directoryStart) throw notWord("its parts overlap the directory of the zip");
}

interface Directory {
  readonly entries: readonly Entry[];
  readonly directoryStart: number;
  readonly localHeader: (entry: Entry) => LocalFileHeader;
}

/** Provides data to yauzl synchronously, so that yauzl calls back before its functions return. */
class BytesReader extends RandomAccessReader {
  readonly #bytes: Buffer;

  constructor(bytes: Uint8Array) {
    super();
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    const end = Math.min(position + length, this.#bytes.length);
    callback(null, end > position ? this.#bytes.copy(buffer, offset, position, end) : 0);
  }
}

function readDirectory(file: Uint8Array, limits: PackageLimits): Directory {
  const bytes = file.subarray(0, zipEnd(file));
  const zip = settled<ZipFile>((done) => {
    const options = { lazyEntries: true, autoClose: false, strictFileNames: false };
    fromRandomAccessReader(new BytesReader(bytes), bytes.length, options, done);
  });
  if (zip.entryCount > limits.parts) throw tooMany("parts", limits.parts);
  const directoryStart = cursorOf(zip);
  const entries: Entry[] = [];
  let failure: unknown = null;
  zip.on("entry", (entry: Entry) => entries.push(entry));
  zip.on("error", (error: unknown) => {
    failure = error;
  });
  for (let count = 1; count <= zip.entryCount; count += 1) {
    zip.readEntry();
    // yauzl reports each entry before `readEntry` returns, except an entry without a name.
    if (entries.length < count) throw damagedZip(failure);
  }
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const after = cursorOf(zip);
  if (after + 4 <= view.length && view.readUInt32LE(after) === DIRECTORY_ENTRY) {
    throw notWord("its zip archive holds more parts than it declares");
  }
  return {
    entries,
    directoryStart,
    localHeader: (entry) =>
      settled<LocalFileHeader>((done) => zip.readLocalFileHeader(entry, done)),
  };
}

const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_END = 0x06054b50;

/** The size of the record at the end of a zip, without its comment. */
const END_SIZE = 22;

/** Returns the end of the zip. Some programs leave a line end or zeros after it, which yauzl rejects. */
function zipEnd(file: Uint8Array): number {
  const view = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const first = Math.max(0, file.length - END_SIZE - 0xffff);
  for (let at = file.length - END_SIZE; at >= first; at -= 1) {
    if (view.readUInt32LE(at) !== DIRECTORY_END) continue;
    return Math.min(at + END_SIZE + view.readUInt16LE(at + END_SIZE - 2), file.length);
  }
  return file.length;
}

/** Returns the position of the next directory entry in the zip. yauzl's types declare this number as a boolean. */
function cursorOf(zip: ZipFile): number {
  return Number(zip.readEntryCursor);
}

/** Returns the result of a yauzl function that calls back before it returns. */
function settled<T>(start: (done: (error: Error | null, result: T) => void) => void): T {
  let outcome: { readonly error: Error | null; readonly result: T } | undefined;
  try {
    start((error, result) => {
      outcome = { error, result };
    });
  } catch (cause) {
    throw damagedZip(cause);
  }
  if (outcome === undefined || outcome.error !== null) throw damagedZip(outcome?.error);
  return outcome.result;
}

function notAZip(bytes: Uint8Array): string | null {
  if (bytes.length === 0) return "it is empty";
  const magic = Buffer.from(bytes.subarray(0, 8)).toString("latin1");
  if (magic.startsWith("PK\x03\x04")) return null;
  if (magic.startsWith("\xd0\xcf\x11\xe0")) {
    return "it is protected by a password or is an old .doc file: save it in Word as .docx without a password";
  }
  if (magic.startsWith("%PDF")) return "it is a PDF";
  if (magic.startsWith("{\\rtf")) return "it is an RTF file: save it in Word as .docx";
  return "it is not a zip archive";
}

function damaged(name: string, cause?: unknown): QuireError {
  return notWord(`its part ${name} is damaged`, cause);
}

function damagedZip(cause: unknown): QuireError {
  // yauzl checks names before nameProblem() does.
  return cause instanceof Error && /^(?:absolute|invalid relative) path/.test(cause.message)
    ? notWord("an entry of the zip has a path that leads outside the file", cause)
    : notWord("the zip archive is truncated or damaged", cause);
}

function lying(name: string): QuireError {
  return notWord(`the zip archive contradicts itself about its part ${name}`);
}
