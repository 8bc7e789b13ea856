import { createReadStream } from "node:fs";
import { isQuireError, QuireError } from "@quire/core";
import {
  BOM_LENGTH,
  type DataEntry,
  type DataSource,
  fileLabel,
  parseJson,
  startsWithBom,
  toEntry,
} from "../entries/entry.ts";

/** Longer lines are rejected instead of being read into memory. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

const NEWLINE = 0x0a;

/**
 * Returns the entries of a file with JSON lines: one object per line, in UTF-8. Blank lines are skipped, but line
 * numbers include them.
 */
export function jsonLinesEntries(path: string, chunkBytes?: number): DataSource {
  return {
    blankRows: 0,
    async count() {
      let lines = 0;
      for await (const line of readLines(path, chunkBytes)) {
        if (line === null || !isBlank(line)) lines += 1;
      }
      return lines;
    },
    async *items() {
      let number = 0;
      for await (const line of readLines(path, chunkBytes)) {
        number += 1;
        if (line !== null && isBlank(line)) continue;
        yield { line: number, entry: parseLine(line, `Line ${number} of ${fileLabel(path)}`) };
      }
    },
  };
}

function parseLine(line: Buffer | null, where: string): DataEntry | QuireError {
  if (line === null) {
    return new QuireError("limit_exceeded", `${where} is longer than ${MAX_LINE_BYTES} bytes.`);
  }
  let text: string;
  try {
    // Rejects invalid UTF-8, and removes a byte order mark, which JSON.parse would not accept.
    text = new TextDecoder("utf-8", { fatal: true }).decode(line);
  } catch {
    return new QuireError("invalid_data", `${where} is not UTF-8 text.`);
  }
  try {
    return toEntry(parseJson(text, where), where);
  } catch (error) {
    if (isQuireError(error)) return error;
    throw error;
  }
}

/** Whether a line contains only white space, apart from a byte order mark. */
function isBlank(line: Buffer): boolean {
  const text = startsWithBom(line) ? line.subarray(BOM_LENGTH) : line;
  return text.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

/**
 * Yields the lines of a file without their newlines, and null for a line that is too long. Splits bytes at newlines,
 * because Node's readline also ends lines at characters that are allowed within JSON strings, such as U+2028.
 */
async function* readLines(
  path: string,
  chunkBytes: number | undefined,
): AsyncGenerator<Buffer | null, void, undefined> {
  let pieces: Buffer[] = [];
  let size = 0;
  const take = (): Buffer | null => {
    const line = size > MAX_LINE_BYTES ? null : Buffer.concat(pieces);
    pieces = [];
    size = 0;
    return line;
  };
  const add = (piece: Buffer): void => {
    size += piece.length;
    if (size > MAX_LINE_BYTES) pieces = [];
    else pieces.push(piece);
  };
  for await (const chunk of createReadStream(path, {
    highWaterMark: chunkBytes,
  }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, at));
      from = at + 1;
      yield take();
    }
    if (from < chunk.length) add(chunk.subarray(from));
  }
  if (size > 0) yield take();
}
