import type { CatalogFile, FileInfo } from "@quire/core/host";
import type { CatalogContext } from "./context.ts";
import type { Home } from "./homes.ts";
import { inParallel } from "./in-parallel.ts";
import { isBelow } from "./names.ts";

const PARALLEL = 16;

/** Whether the bytes of a file are in its folder of the storage, where others may change them. */
export function isVisible(home: Home, file: CatalogFile): boolean {
  return !isBelow(home.hidden.id, file.version.storageId);
}

/**
 * The current state of a file. If somebody else has changed it in the storage, the catalog gets a new version. If it is
 * gone from the storage, it is removed from the catalog, and the result is null. Storages without native versions read
 * the file for this.
 */
export async function current(
  context: CatalogContext,
  home: Home,
  file: CatalogFile,
  signal: AbortSignal | undefined,
): Promise<CatalogFile | null> {
  if (!isVisible(home, file)) return file;
  const ref = { type: "file", id: file.version.storageId } as const;
  const info = await context.storage.stat(ref, signal === undefined ? {} : { signal });
  if (info !== null) return noteChange(context, home, file, info);
  await forgetGone(context, home, new Map([[file.version.storageId, file.id]]));
  const left = await context.catalog.find(home.tenant, { id: file.id });
  return left?.type === "file" ? left : null;
}

/** The file with the version that the storage has now. */
export async function noteChange(
  { catalog }: CatalogContext,
  { tenant }: Home,
  file: CatalogFile,
  { version: storageVersion, size }: Pick<FileInfo, "version" | "size">,
): Promise<CatalogFile> {
  if (file.version.storageVersion === storageVersion) return file;
  // Others may have noted the change, or may have added another version.
  const latest = await catalog.find(tenant, { id: file.id });
  if (latest?.type !== "file" || latest.version.id !== file.version.id) {
    return latest?.type === "file" ? latest : file;
  }
  const { storageId } = file.version;
  const version = { storageId, storageVersion, size, sha1: null, createdBy: null };
  return catalog.addVersion(tenant, file.id, version);
}

/**
 * Removes files from the catalog that the storage no longer has. `gone` maps their storage ids to their catalog ids.
 * Removes nothing if this is not the storage that had the files.
 */
export async function forgetGone(
  { storage, catalog, homes, sweeper }: CatalogContext,
  home: Home,
  gone: ReadonlyMap<string, string>,
): Promise<void> {
  if (gone.size === 0 || !(await homes.isSame(home))) return;
  const letGo = new Map<string, string>();
  await inParallel(gone, PARALLEL, async ([storageId, id]) => {
    if ((await storage.stat({ type: "file", id: storageId })) !== null) return;
    const entry = await catalog.find(home.tenant, { id });
    if (entry?.type === "file" && entry.version.storageId === storageId) letGo.set(storageId, id);
  });
  if (letGo.size === 0) return;
  await inParallel(letGo, PARALLEL, ([storageId, id]) =>
    catalog.remove(home.tenant, id, { gone: storageId }),
  );
  // Older versions may have separate bytes.
  await sweeper.sweep();
}
