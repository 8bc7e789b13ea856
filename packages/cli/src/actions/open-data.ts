import { open, stat } from "node:fs/promises";
import { extname } from "node:path";
import { type PlaceUse, QuireError } from "@quire/core";
import { assertDataOptions } from "../data/data-options.ts";
import type { Table } from "../data/table.ts";
import { NO_TYPES } from "../entries/column-types.ts";
import type { DataSource } from "../entries/entry.ts";
import { mergedUse } from "../entries/merged-use.ts";
import { unreadable } from "../files/file-problems.ts";
import type { DataFlags } from "../options/data.ts";
import { isDataName } from "../terminal/command-line.ts";
import { type Io, pathIn } from "../terminal/io.ts";

/** A template or a file name pattern, which uses the data of entries. */
export interface DataUser {
  useOf(keys: readonly string[]): PlaceUse | null;
}

/** An open data file. */
export interface DataFile {
  /**
   * Returns the file's entries. `users` determine the types of cells in a table. To count entries, no users are needed.
   */
  entries(users: readonly DataUser[]): DataSource;
}

/** The options for opening a data file. */
export interface OpenOptions {
  readonly flags?: DataFlags;
  /** The size of the chunks in which a file is read, in bytes. Only tests set it. */
  readonly chunkBytes?: number | undefined;
}

type Opener = (
  path: string,
  options: { readonly flags: DataFlags; readonly chunkBytes: number | undefined },
) => Promise<DataFile>;

interface Reader {
  readonly open: Opener;
  readonly options: readonly (keyof DataFlags)[];
}

const JSON_LINES: Reader = {
  open: async (path, { chunkBytes }) => {
    const { jsonLinesEntries } = await import("../data/jsonl.ts");
    return { entries: () => jsonLinesEntries(path, chunkBytes) };
  },
  options: [],
};

/** Each reader loads only the code for its own type of file. */
const READERS: Readonly<Record<string, Reader>> = {
  ".json": {
    open: async (path) => {
      const { jsonEntries } = await import("../data/json.ts");
      // All callers share one source, so that exactly the counted entries are read.
      const source = jsonEntries({ cwd: "." }, path);
      return { entries: () => source };
    },
    options: [],
  },
  ".jsonl": JSON_LINES,
  ".ndjson": JSON_LINES,
  ".csv": {
    open: async (path, { flags, chunkBytes }) => {
      const { openCsv } = await import("../data/csv/csv.ts");
      return tableFile(await openCsv(path, { ...flags, chunkBytes }), flags);
    },
    options: ["types", "dataLocale", "encoding"],
  },
  ".xlsx": {
    open: async (path, { flags }) => {
      const { openXlsx } = await import("../data/xlsx/xlsx.ts");
      return tableFile(await openXlsx(path, flags), flags);
    },
    options: ["types", "dataLocale", "sheet"],
  },
};

async function tableFile(table: Table, { types = NO_TYPES }: DataFlags): Promise<DataFile> {
  const { tableEntries } = await import("../data/table.ts");
  return {
    entries: (users) => tableEntries(table, { types, useOf: (keys) => mergedUse(users, keys) }),
  };
}

/**
 * Opens a data file with the reader for its extension. Rejects `not_found` if the file cannot be read, `invalid_data`
 * for an unknown extension, a folder, a pipe or content of another type, and `invalid_request` for options that do not
 * apply to the file.
 */
export async function openData(
  io: Pick<Io, "cwd">,
  path: string,
  { flags = {}, chunkBytes }: OpenOptions = {},
): Promise<DataFile> {
  await assertReadable(io, path);
  const { dataFormat } = flags;
  const reader = READERS[dataFormat === undefined ? extname(path).toLowerCase() : `.${dataFormat}`];
  if (reader === undefined) {
    throw new QuireError(
      "invalid_data",
      `The type of the data file ${JSON.stringify(path)} is not supported. Use ${Object.keys(READERS).join(", ")}: save the file as one of these, or name its format with --data-format.`,
    );
  }
  assertDataOptions(flags, reader.options, path);
  return reader.open(pathIn(io, path), { flags, chunkBytes });
}

/** Checks that the path is a readable file. Data files are read twice, which is impossible for a pipe. */
async function assertReadable(io: Pick<Io, "cwd">, path: string): Promise<void> {
  let isFile: boolean;
  try {
    isFile = (await stat(pathIn(io, path))).isFile();
    if (isFile) await (await open(pathIn(io, path))).close();
  } catch (cause) {
    throw unreadable(io, path, cause, isDataName);
  }
  if (isFile) return;
  if ((await stat(pathIn(io, path))).isDirectory()) {
    const cause = Object.assign(new Error("The path is a folder."), { code: "EISDIR" });
    throw unreadable(io, path, cause, isDataName);
  }
  throw new QuireError(
    "invalid_data",
    `The data ${JSON.stringify(path)} is a pipe, whose format is not known. Add --data-format with json, jsonl, csv or xlsx.`,
  );
}
