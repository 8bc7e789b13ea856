import { createHash } from "node:crypto";
import { basename, resolve } from "node:path";
import type { FileRef, FolderRef, Storage, StoredFile } from "@quire/core";
import { fsStorage } from "@quire/storage-fs";
import { besideFile } from "./folder-files.ts";
import type { LoadedTemplate } from "./template.ts";

/** Where a run reads and writes. */
export interface RunStorage {
  readonly storage: Storage;
  readonly template: FileRef;
  readonly out: FolderRef;
}

/**
 * The files of a run as one storage: it writes into the output folder, reads the template and what it
 * includes as they were compiled, and every other file, an image of the data, beside the data file. The
 * names of included templates go before: as images they would be none.
 */
export function runStorage(
  { path, bytes, included }: LoadedTemplate,
  dataPath: string,
  out: string,
): RunStorage {
  const output = fsStorage({ root: out });
  const readImage = besideFile(dataPath);
  // An absolute path, which no name in a template or in the data may be.
  const template: FileRef = { type: "file", id: resolve(path) };
  const known = new Map([...included, [template.id, bytes]]);
  return {
    template,
    out: { type: "folder", id: "." },
    storage: {
      create: (...args) => output.create(...args),
      list: (...args) => output.list(...args),
      stat: (...args) => output.stat(...args),
      find: (...args) => output.find(...args),
      remove: (...args) => output.remove(...args),
      read: async (ref, { signal } = {}) =>
        storedFile(ref, known.get(ref.id)?.slice() ?? (await readImage(ref.id, signal))),
    },
  };
}

function storedFile(ref: FileRef, bytes: Uint8Array): StoredFile {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const name = basename(ref.id);
  return { ref, version: sha256, name, size: bytes.length, sha256, bytes };
}
