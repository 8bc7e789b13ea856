import { hash } from "node:crypto";
import { type FolderRef, foldName, isQuireError, QuireError, type Storage } from "@quire/core/host";
import { folderPages } from "./journal.ts";

/**
 * Returns a view of a storage for one shard of a run. The folder seems to be empty, because the names of documents must
 * depend on the data alone: the folder may contain documents of other shards, and of earlier starts of this shard. A
 * file that is in the folder nevertheless is never replaced: `create` returns it if it has the same content, which is
 * so for the document of an earlier start whose journal is lost. Otherwise, `create` rejects `conflict`, also if the
 * names differ only in case or in Unicode normalization.
 */
export function shardStorage(storage: Storage): Storage {
  let listing: Promise<Spellings> | null = null;
  const spellings = async (folder: FolderRef): Promise<Spellings> => {
    listing ??= spellingsIn(storage, folder);
    try {
      return await listing;
    } catch (error) {
      listing = null; // the next document lists the folder again
      throw error;
    }
  };
  return {
    ...storage,
    list: async () => ({ entries: [], nextMarker: null }),
    create: async (folder, name, bytes, options) => {
      const known = (await spellings(folder)).get(foldName(name));
      if (known !== undefined && known !== name) throw nameTaken(name);
      try {
        return await storage.create(folder, name, bytes, options);
      } catch (error) {
        const isTaken = isQuireError(error) && error.code === "conflict";
        if (!isTaken || !(bytes instanceof Uint8Array)) throw error;
        const found = await storage.find(folder, name, options);
        if (found === null || found.size !== bytes.length) throw error;
        const { sha256 } = await storage.read(found.ref, options);
        if (sha256 !== hash("sha256", bytes)) throw error;
        return found;
      }
    },
  };
}

/** The names in a folder by their folded form; null if several names have the same form. */
type Spellings = ReadonlyMap<string, string | null>;

async function spellingsIn(storage: Storage, folder: FolderRef): Promise<Spellings> {
  const spellings = new Map<string, string | null>();
  for await (const names of folderPages({ storage, folder })) {
    for (const name of names) {
      const folded = foldName(name);
      spellings.set(folded, spellings.has(folded) ? null : name);
    }
  }
  return spellings;
}

function nameTaken(name: string): QuireError {
  return new QuireError(
    "conflict",
    `The folder has a file whose name differs from ${JSON.stringify(name)} only in case or in Unicode normalization.`,
  );
}
