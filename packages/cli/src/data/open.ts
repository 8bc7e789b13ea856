import { open, stat } from "node:fs/promises";
import { extname } from "node:path";
import { QuireError } from "@quire/core";
import { type Io, pathIn } from "../io.ts";
import { csvEntries } from "./csv.ts";
import { type DataSource, unreadable } from "./entry.ts";
import { jsonEntries } from "./json.ts";
import { jsonLinesEntries } from "./jsonl.ts";

/** Reads the entries of a file; streams take that many bytes at once. */
type Reader = (path: string, chunkBytes?: number) => DataSource;

const READERS: Readonly<Record<string, Reader>> = {
  ".json": (path) => jsonEntries({ cwd: "." }, path),
  ".jsonl": jsonLinesEntries,
  ".ndjson": jsonLinesEntries,
  ".csv": csvEntries,
};

/**
 * Opens a data file; its extension says what it holds. Rejects `not_found` when it cannot be read and
 * `invalid_data` for another extension, for what is no file or for a JSON file that is none.
 * `chunkBytes`: how much of a stream is read at once; only tests choose it.
 */
export async function openData(
  io: Pick<Io, "cwd">,
  path: string,
  chunkBytes?: number,
): Promise<DataSource> {
  const reader = READERS[extname(path).toLowerCase()];
  if (reader === undefined) {
    throw new QuireError(
      "invalid_data",
      `The data file ${JSON.stringify(path)} is none of ${Object.keys(READERS).join(", ")}.`,
    );
  }
  await assertReadable(io, path);
  return reader(pathIn(io, path), chunkBytes);
}

/** Asked before anything is opened: a pipe would keep us waiting, and the entries are read twice. */
async function assertReadable(io: Pick<Io, "cwd">, path: string): Promise<void> {
  let isFile: boolean;
  try {
    isFile = (await stat(pathIn(io, path))).isFile();
    if (isFile) await (await open(pathIn(io, path))).close();
  } catch (cause) {
    throw unreadable(path, cause);
  }
  if (isFile) return;
  throw new QuireError(
    "invalid_data",
    `The data ${JSON.stringify(path)} is no file but a folder or a pipe. Write the entries to a file.`,
  );
}
