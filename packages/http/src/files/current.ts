import type { CatalogFile, FileInfo } from "@quire/core/host";
import type { CatalogContext } from "./context.ts";
import type { Home } from "./homes.ts";
import { inParallel } from "./in-parallel.ts";
import { isBelow } from "./names.ts";

const PARALLEL = 16;

/** Whether the bytes of a file stand in its folder of the storage, where others may change them. */
export function isVisible(home: Home, file: CatalogFile): boolean {
  return !isBelow(home.hidden.id, file.version.storageId);
}

/**
 * A file as it is now: what somebody else has changed in the storage gets a new version in the catalog, and what is gone
 * from there is taken out of it. Null for that. A storage without versions of its own reads the file for this.
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

/** The file with what the storage has under its name now. */
export async function noteChange(
  { catalog }: CatalogContext,
  { tenant }: Home,
  file: CatalogFile,
  { version: storageVersion, size }: Pick<FileInfo, "version" | "size">,
): Promise<CatalogFile> {
  if (file.version.storageVersion === storageVersion) return file;
  // Others may have noted it, or have given the file another version meanwhile.
  const latest = await catalog.find(tenant, { id: file.id });
  if (latest?.type !== "file" || latest.version.id !== file.version.id) {
    return latest?.type === "file" ? latest : file;
  }
  const { storageId } = file.version;
  const version = { storageId, storageVersion, size, sha1: null, createdBy: null };
  return catalog.addVersion(tenant, file.id, version);
}

/**
 * Takes files out of the catalog of which the storage has nothing any more; `gone` has their ids in the catalog by those
 * in the storage. None when the storage is not the one that had them.
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
  // Versions before it may have bytes of their own.
  await sweeper.sweep();
}
