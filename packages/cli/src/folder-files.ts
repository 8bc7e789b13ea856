import { dirname } from "node:path";
import { isQuireError, QuireError } from "@quire/core";
import { fsStorage } from "@quire/storage-fs";
import { type Io, pathIn } from "./io.ts";

/** Reads a file by the name that a template or the data give it. */
export type FileReader = (name: string, signal?: AbortSignal) => Promise<Uint8Array>;

/**
 * Reads files of the folder in which a file stands, and below it, and no others: neither `..` nor a
 * link leads out of it. Rejects `forbidden`, `not_found` or `storage_failed`.
 */
export function besideFile(io: Pick<Io, "cwd">, path: string): FileReader {
  const folder = dirname(path);
  const storage = fsStorage({ root: pathIn(io, folder) });
  return async (name, signal) => {
    try {
      const file = await storage.read({ type: "file", id: name }, signal ? { signal } : {});
      return file.bytes;
    } catch (error) {
      throw isQuireError(error) ? inOurWords(error, name, folder) : error;
    }
  };
}

/** Whoever wrote the name knows of a folder, and of no storage with ids. */
function inOurWords(error: QuireError, name: string, folder: string): QuireError {
  const options = { cause: error, retryable: error.retryable };
  const [file, place] = [JSON.stringify(name), JSON.stringify(folder)];
  switch (error.code) {
    case "forbidden":
      return new QuireError(
        "forbidden",
        `${file} is not a path within the folder ${place}, and files elsewhere cannot be read. Put the file into that folder, and write its path relative to the folder, with "/" between folders.`,
        options,
      );
    case "not_found":
      return new QuireError(
        "not_found",
        `There is no file ${file} in the folder ${place}. Correct the name, or put the file there.`,
        options,
      );
    default:
      return error;
  }
}
