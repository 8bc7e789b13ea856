import { open, stat } from "node:fs/promises";
import { extname } from "node:path";
import { QuireError } from "@quire/core";
import { csvEntries } from "./csv.ts";
import { type DataSource, unreadable } from "./entry.ts";
import { jsonEntries } from "./json.ts";
import { jsonLinesEntries } from "./jsonl.ts";

const READERS: Readonly<Record<string, (path: string) => DataSource | Promise<DataSource>>> = {
  ".json": jsonEntries,
  ".jsonl": jsonLinesEntries,
  ".ndjson": jsonLinesEntries,
  ".csv": csvEntries,
};

/**
 * Opens a data file; its extension says what it holds. Rejects `not_found` when it cannot be read and
 * `invalid_data` for another extension, for what is no file or for a JSON file that is none.
 */
export async function openData(path: string): Promise<DataSource> {
  const reader = READERS[extname(path).toLowerCase()];
  if (reader === undefined) {
    throw new QuireError(
      "invalid_data",
      `The data file ${JSON.stringify(path)} is none of ${Object.keys(READERS).join(", ")}.`,
    );
  }
  await assertReadable(path);
  return reader(path);
}

/** Asked before anything is opened: a pipe would keep us waiting, and the entries are read twice. */
async function assertReadable(path: string): Promise<void> {
  let isFile: boolean;
  try {
    isFile = (await stat(path)).isFile();
    if (isFile) await (await open(path)).close();
  } catch (cause) {
    throw unreadable(path, cause);
  }
  if (isFile) return;
  throw new QuireError(
    "invalid_data",
    `The data ${JSON.stringify(path)} is no file but a folder or a pipe. Write the entries to a file.`,
  );
}
