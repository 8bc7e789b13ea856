import { dirname } from "node:path";
import { isQuireError, QuireError, type Storage } from "@quire/core/host";
import { type Io, pathIn } from "../terminal/io.ts";

/** Reads a file by its name in a template or in the data. */
export type FileReader = (name: string, signal?: AbortSignal) => Promise<Uint8Array>;

/**
 * Creates a reader for the files in the folder of a file and below. Neither `..` nor a link can leave the folder. The
 * reader rejects `forbidden`, `not_found` or `storage_failed`.
 */
export function besideFile(io: Pick<Io, "cwd">, path: string): FileReader {
  const folder = dirname(path);
  let storage: Storage | null = null;
  return async (name, signal) => {
    // Loaded on demand, because most templates and data do not name files.
    const { fsStorage } = await import("@quire/storage-fs");
    storage ??= fsStorage({ root: pathIn(io, folder) });
    try {
      const file = await storage.read({ type: "file", id: name }, signal ? { signal } : {});
      return file.bytes;
    } catch (error) {
      throw isQuireError(error) ? inOurWords(error, name, folder) : error;
    }
  };
}

/** Rewords an error for users, who know about folders but not about storage ids. */
function inOurWords(error: QuireError, name: string, folder: string): QuireError {
  const options = { cause: error, retryable: error.retryable };
  const [file, place] = [JSON.stringify(name), JSON.stringify(folder)];
  switch (error.code) {
    case "forbidden":
      return new QuireError(
        "forbidden",
        `${file} is not a path within the folder ${place}, and files outside of it cannot be read. Put the file into that folder, and write its path relative to the folder, with "/" between folders.`,
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
