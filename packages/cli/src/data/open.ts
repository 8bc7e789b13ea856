import { open } from "node:fs/promises";
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
 * `invalid_data` for another extension or a JSON file that is none.
 */
export async function openData(path: string): Promise<DataSource> {
  const reader = READERS[extname(path).toLowerCase()];
  if (reader === undefined) {
    throw new QuireError(
      "invalid_data",
      `The data file ${JSON.stringify(path)} is none of ${Object.keys(READERS).join(", ")}.`,
    );
  }
  try {
    await (await open(path)).close();
  } catch (cause) {
    throw unreadable(path, cause);
  }
  return reader(path);
}
