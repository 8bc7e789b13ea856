import type { FolderRef, Storage } from "../ports/storage.ts";
import { foldName } from "./output-names.ts";

/** Names per page of the listing: a storage may read the whole folder for each page, and each takes memory. */
const PAGE = 100_000;

/** The folded names of all that stands in a folder. Rejects what the storage rejects, for example `not_found`. */
export async function folderNames(
  storage: Storage,
  folder: FolderRef,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  let marker: string | null = null;
  do {
    const page = await storage.list(folder, {
      limit: PAGE,
      ...(marker === null ? {} : { marker }),
      ...(signal === undefined ? {} : { signal }),
    });
    for (const { name } of page.entries) names.add(foldName(name));
    marker = page.nextMarker;
  } while (marker !== null);
  return names;
}
