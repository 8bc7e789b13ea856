import { crc32, inflateRawSync } from "node:zlib";
import PizZip from "pizzip";
import { QuireError } from "../../errors.ts";

/** The largest entry that is read, in bytes: a file of some 100,000 may claim to hold that much. */
const MAX_ENTRY = 100_000_000;

/** The most bytes of all entries together: the largest file that Word is made for. */
const MAX_TOTAL = 512_000_000;

/** The zip around a template. Nothing in it is inflated before its size is known to be bearable. */
export interface Archive {
  has(name: string): boolean;
  /** The declared size of an entry, in bytes. */
  sizeOf(name: string): number;
  /** An entry, whole and undamaged. Throws `invalid_template` or `limit_exceeded`. */
  read(name: string): Uint8Array;
  /** Throws `invalid_template` when any entry is damaged, `limit_exceeded` when there is too much of it. */
  verify(): void;
}

/** Opens a zip. Throws `invalid_template` with a message of its own for each way in which it is none. */
export function openArchive(bytes: Uint8Array): Archive {
  const { files } = openZip(bytes);
  const has = (name: string): boolean => Object.hasOwn(files, name) && files[name]?.dir === false;
  const entry = (name: string): Compressed => {
    const file = has(name) ? files[name] : undefined;
    if (file === undefined) throw notWord(`it holds no ${name}`);
    return compressedOf(file);
  };
  const read = (name: string): Uint8Array => inflate(name, entry(name));
  return {
    has,
    sizeOf: (name) => sizeOf(entry(name)),
    read,
    verify() {
      const names = Object.keys(files).filter(has);
      const total = names.reduce((sum, name) => sum + sizeOf(entry(name)), 0);
      if (total > MAX_TOTAL) throw tooLarge("it", total, MAX_TOTAL);
      for (const name of names) read(name);
    },
  };
}

/** What pizzip keeps of an entry that was loaded and not inflated. */
export interface Compressed {
  readonly compressionMethod: string;
  /** 32 bits, read as a signed number. */
  readonly uncompressedSize: number;
  /** Likewise. */
  readonly crc32: number;
  getCompressedContent(): Uint8Array;
}

/**
 * The compressed form of an entry, which pizzip does not type: its own inflating knows no bounds and
 * checks no sums.
 */
export function compressedOf(entry: PizZip.ZipObject): Compressed {
  return (entry as unknown as { readonly _data: Compressed })._data;
}

/** Whether the bytes of an entry stand in the zip as they are. */
export function isStored({ compressionMethod }: Compressed): boolean {
  return compressionMethod === "\x00\x00";
}

function sizeOf({ uncompressedSize }: Compressed): number {
  return uncompressedSize >>> 0;
}

function inflate(name: string, entry: Compressed): Uint8Array {
  const size = sizeOf(entry);
  if (size > MAX_ENTRY) throw tooLarge(`its part ${name}`, size, MAX_ENTRY);
  const content = inflated(name, entry, size);
  if (content.length !== size || crc32(content) !== entry.crc32 >>> 0) throw damaged(name);
  return content;
}

function inflated(name: string, entry: Compressed, size: number): Uint8Array {
  const compressed = entry.getCompressedContent();
  if (isStored(entry)) return compressed;
  try {
    return inflateRawSync(compressed, { maxOutputLength: Math.max(size, 1) });
  } catch (cause) {
    throw damaged(name, cause);
  }
}

function openZip(bytes: Uint8Array): PizZip {
  const reason = notAZip(bytes);
  if (reason !== null) throw notWord(reason);
  try {
    return new PizZip(bytes);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : "";
    throw /encrypted/i.test(message)
      ? notWord("its content is encrypted", cause)
      : notWord("the zip archive is truncated or damaged", cause);
  }
}

function notAZip(bytes: Uint8Array): string | null {
  if (bytes.length === 0) return "it is empty";
  const magic = Buffer.from(bytes.subarray(0, 8)).toString("latin1");
  if (magic.startsWith("PK\x03\x04")) return null;
  if (magic.startsWith("\xd0\xcf\x11\xe0")) {
    return "it is protected by a password or is an old .doc file: save it in Word as .docx without a password";
  }
  if (magic.startsWith("%PDF")) return "it is a PDF";
  if (magic.startsWith("{\\rtf")) return "it is an RTF file";
  return "it is no zip archive";
}

function damaged(name: string, cause?: unknown): QuireError {
  return notWord(`its part ${name} is damaged`, cause);
}

/** The error for a template that takes more memory than can be spent on one. */
export function tooLarge(what: string, size: number, limit: number): QuireError {
  return new QuireError(
    "limit_exceeded",
    `The template is too large: ${what} has ${size} bytes when unpacked, and at most ${limit} are read.`,
  );
}

/** The error for bytes that are something else than a Word document; `why` ends the sentence. */
export function notWord(why: string, cause?: unknown): QuireError {
  return new QuireError(
    "invalid_template",
    `This is no Word document that can be used as a template: ${why}.`,
    { cause },
  );
}
