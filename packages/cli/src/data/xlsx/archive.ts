import { crc32 } from "node:zlib";
import { QuireError } from "@quire/core";
import { type Entry, openPromise, type ZipFile } from "yauzl";

/** No real workbook has more parts than this. */
const MAX_PARTS = 10_000;
/** Parts larger than this, in bytes, must not exceed the maximum compression ratio. Real sheets reach about 20. */
const RATIO_COUNTS_FROM = 20_000_000;
const MAX_RATIO = 500;

/** The parts of a workbook, which is a zip file. The caller closes it. */
export interface XlsxArchive {
  has(part: string): boolean;
  /**
   * Reads a part in chunks. Throws `invalid_data`, or `limit_exceeded` if its size or compression ratio is too large.
   */
  read(part: string, maxBytes: number): AsyncIterable<Uint8Array>;
  close(): void;
}

/** Returns the error for a workbook that cannot be read. */
export function notXlsx(label: string, why: string, cause?: unknown): QuireError {
  return new QuireError("invalid_data", `The file ${label} cannot be read: ${why}.`, { cause });
}

/** Returns the error for a workbook that exceeds a limit. */
export function tooLarge(label: string, what: string): QuireError {
  return new QuireError("limit_exceeded", `The file ${label} cannot be read: ${what}.`);
}

/** Opens a workbook. Matches names of parts case-insensitively. Throws `invalid_data` or `limit_exceeded`. */
export async function openArchive(path: string, label: string): Promise<XlsxArchive> {
  const zip = await open(path, label);
  try {
    const entries = await readEntries(zip, label);
    const entryOf = (part: string): Entry | undefined => entries.get(part.toLowerCase());
    return {
      has: (part) => entryOf(part) !== undefined,
      async *read(part, maxBytes) {
        const entry = entryOf(part);
        if (entry === undefined) throw notXlsx(label, `it does not contain ${part}`);
        checkSize(entry, { part, maxBytes, label });
        yield* contentOf(zip, entry, label);
      },
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function open(path: string, label: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: false });
  } catch (cause) {
    throw notXlsx(
      label,
      "it is not a workbook, is damaged, or is protected by a password. Open it in a spreadsheet program and save it as .xlsx without a password",
      cause,
    );
  }
}

async function readEntries(zip: ZipFile, label: string): Promise<Map<string, Entry>> {
  if (zip.entryCount > MAX_PARTS) throw tooLarge(label, `it has more than ${MAX_PARTS} parts`);
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName.toLowerCase();
      if (entries.has(name)) throw notXlsx(label, `it contains the part ${entry.fileName} twice`);
      entries.set(name, entry);
    }
  } catch (cause) {
    throw cause instanceof QuireError ? cause : damaged(label, cause);
  }
  return entries;
}

function checkSize(
  { uncompressedSize: size, compressedSize }: Entry,
  {
    part,
    maxBytes,
    label,
  }: { readonly part: string; readonly maxBytes: number; readonly label: string },
): void {
  if (size > maxBytes) throw tooLarge(label, `its part ${part} has more than ${maxBytes} bytes`);
  if (size > RATIO_COUNTS_FROM && size > compressedSize * MAX_RATIO) {
    throw tooLarge(
      label,
      `its part ${part} expands to more than ${MAX_RATIO} times its size in the file, which suggests an attack`,
    );
  }
}

/** Yields the content of a part. Throws `invalid_data` if its size or checksum is not the one that the zip declares. */
async function* contentOf(
  zip: ZipFile,
  entry: Entry,
  label: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  let sum = 0;
  try {
    const stream = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (cause) {
    throw damaged(label, cause);
  }
  if (sum !== entry.crc32) throw damaged(label);
}

function damaged(label: string, cause?: unknown): QuireError {
  return notXlsx(label, "it is damaged", cause);
}
