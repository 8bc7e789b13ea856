import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { QuireError } from "@quire/core/host";
import { type Io, pathIn } from "../terminal/io.ts";

/** The name of standard input as a data file. */
export const STANDARD_INPUT = "-";

/**
 * Calls `use` with the path of a regular file that contains the data. Data is read more than once, so standard input
 * (`-`) and pipes are first copied to a temporary file, which is removed at the end. The copy gets the data format as
 * its extension. Throws `invalid_request` if the format of standard input is missing.
 */
export async function withDataFile<Result>(
  io: Io,
  { data, dataFormat: format }: { readonly data: string; readonly dataFormat?: string | undefined },
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const isStandardInput = data === STANDARD_INPUT;
  if (isStandardInput && format === undefined) {
    throw new QuireError(
      "invalid_request",
      "The format of standard input is not known. Add --data-format with json, jsonl, csv or xlsx.",
    );
  }
  if (format === undefined || !(isStandardInput || (await isPipe(io, data)))) return use(data);
  const folder = await mkdtemp(join(tmpdir(), "quire-data-"));
  try {
    const path = join(folder, `input.${format}`);
    const input = isStandardInput ? standardInput(io) : createReadStream(pathIn(io, data));
    await pipeline(input, createWriteStream(path, { mode: 0o600 }));
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function isPipe(io: Io, path: string): Promise<boolean> {
  const found = await stat(pathIn(io, path)).catch(() => null);
  return found?.isFIFO() ?? false;
}

function standardInput({ stdin }: Io): AsyncIterable<Uint8Array> {
  if (stdin !== undefined) return stdin;
  throw new QuireError("invalid_request", "This command has no standard input. Name a data file.");
}
