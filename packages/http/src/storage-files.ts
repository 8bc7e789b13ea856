import { type FileRef, type FolderRef, QuireError, type Storage } from "@quire/core/host";
import type { DocGenFiles } from "./operations/doc-gen.ts";

const PATH_PREFIX = "path:";

/** Uses the ids in requests, without `path:`, as the engine's ids. The engine reports items that do not exist. */
export const PLAIN_IDS: DocGenFiles = {
  async resolve(_tenant, { type, id }) {
    const plain = plainId(id);
    return type === "file" ? { type, id: plain, name: null, version: null } : { type, id: plain };
  },
  version: async (_tenant, _fileId, id) => ({ id, size: 0 }),
};

/**
 * Finds files by their ids in the storage. In request bodies, ids may begin with `path:`. In the URL path, ids are
 * percent-encoded, such as `letters%2Fmay.docx`. Pass the same storage to the engine.
 */
export function storageFiles(storage: Storage | ((tenant: string) => Storage)): DocGenFiles {
  const of = (tenant: string): Storage =>
    typeof storage === "function" ? storage(tenant) : storage;
  return {
    async resolve(tenant: string, ref: FileRef | FolderRef) {
      const id = plainId(ref.id);
      // The engine reports a missing folder.
      if (ref.type === "folder") return { type: "folder", id };
      const info = await of(tenant).stat({ type: "file", id });
      if (info === null) throw missing(id);
      return { type: "file", id, name: info.name, version: { id: info.version, size: info.size } };
    },
    // The storage port does not list versions. The engine reports a version that does not exist.
    version: async (_tenant, _fileId, id) => ({ id, size: 0 }),
  };
}

function plainId(id: string): string {
  return id.startsWith(PATH_PREFIX) ? id.slice(PATH_PREFIX.length) : id;
}

function missing(id: string): QuireError {
  return new QuireError("not_found", `There is no file ${JSON.stringify(id)}. Check the id.`);
}
