import { createHash } from "node:crypto";
import { basename, resolve } from "node:path";
import type { FileInfo, FileRef, Storage, StoredFile } from "@quire/core";
import { besideFile } from "../files/folder-files.ts";
import type { LoadedTemplate } from "../files/template.ts";
import type { Io } from "../terminal/io.ts";

/** The storage of a run. */
export interface RunStorage {
  readonly storage: Storage;
  readonly template: FileRef;
}

/** The prefixes of the ids of templates and documents. All other ids are names in the data. */
const TEMPLATE = "template:";
const OUTPUT = "output:";

/**
 * Combines the files of a run in one storage. The storage writes documents to the output and can read them again. It
 * returns the template and its included templates as they were when they were compiled. All other ids are names of
 * images in the data, which it reads from the folder of the data file. The names of included templates take precedence,
 * because templates are not images.
 */
export function runStorage(
  io: Io,
  { path, bytes, included }: LoadedTemplate,
  { data, output }: { readonly data: string; readonly output: Storage },
): RunStorage {
  const readImage = besideFile(io, data);
  const template: FileRef = { type: "file", id: `${TEMPLATE}${resolve(io.cwd, path)}` };
  const known = new Map([...included, [template.id, bytes]]);
  return {
    template,
    storage: {
      create: async (...args) => asOutput(await output.create(...args)),
      find: async (...args) => {
        const found = await output.find(...args);
        return found && asOutput(found);
      },
      list: (...args) => output.list(...args),
      stat: async (ref, options) => {
        const found = await output.stat(inOutput(ref), options);
        return found && asOutput(found);
      },
      remove: (ref, options) => output.remove(inOutput(ref), options),
      createFolder: (...args) => output.createFolder(...args),
      removeFolder: (...args) => output.removeFolder(...args),
      read: async (ref, options = {}) => {
        if (ref.id.startsWith(OUTPUT)) {
          const file = await output.read(inOutput(ref), options);
          return { ...file, ...asOutput(file) };
        }
        const file = known.get(ref.id)?.slice() ?? (await readImage(ref.id, options.signal));
        return storedFile(ref, file);
      },
    },
  };
}

function asOutput({ ref, version, name, size }: FileInfo): FileInfo {
  return { ref: { type: "file", id: `${OUTPUT}${ref.id}` }, version, name, size };
}

function inOutput({ type, id }: FileRef): FileRef {
  return { type, id: id.startsWith(OUTPUT) ? id.slice(OUTPUT.length) : id };
}

function storedFile(ref: FileRef, bytes: Uint8Array): StoredFile {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const name = basename(ref.id);
  return { ref, version: sha256, name, size: bytes.length, sha256, bytes };
}
