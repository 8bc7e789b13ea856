import type { CatalogFile, FileInfo } from "@quire/core/host";
import type { CatalogContext } from "./catalog-context.ts";
import { inParallel } from "./in-parallel.ts";
import { isBelow } from "./storage-layout.ts";
import type { TenantRoot } from "./tenant-roots.ts";

const PARALLEL = 16;

/** Whether the bytes of a file are in its folder of the storage, where other programs may change them. */
export function isVisible(root: TenantRoot, file: CatalogFile): boolean {
  return !isBelow(root.hidden.id, file.version.storageId);
}

/**
 * Returns the current state of a file. If it was changed in the storage, the catalog gets a new version. If it no
 * longer exists in the storage, removes it from the catalog and returns null. For a storage without native versions,
 * this reads the file.
 */
export async function reconcileFile(
  context: CatalogContext,
  root: TenantRoot,
  file: CatalogFile,
  signal: AbortSignal | undefined,
): Promise<CatalogFile | null> {
  if (!isVisible(root, file)) return file;
  const ref = { type: "file", id: file.version.storageId } as const;
  const info = await context.storage.stat(ref, signal === undefined ? {} : { signal });
  if (info !== null) return recordChange(context, root, file, info);
  await removeMissing(context, root, new Map([[file.version.storageId, file.id]]));
  const left = await context.catalog.find(root.tenant, { id: file.id });
  return left?.type === "file" ? left : null;
}

/** Returns the file with the version that the storage has now. Adds this version to the catalog if it is new. */
export async function recordChange(
  { catalog }: CatalogContext,
  { tenant }: TenantRoot,
  file: CatalogFile,
  { version: storageVersion, size }: Pick<FileInfo, "version" | "size">,
): Promise<CatalogFile> {
  if (file.version.storageVersion === storageVersion) return file;
  // A concurrent call may already have recorded the change or added another version.
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
 * Removes nothing if this is not the storage that held the files.
 */
export async function removeMissing(
  { storage, catalog, tenantRoots, sweeper }: CatalogContext,
  root: TenantRoot,
  gone: ReadonlyMap<string, string>,
): Promise<void> {
  if (gone.size === 0 || !(await tenantRoots.isSame(root))) return;
  const removable = new Map<string, string>();
  await inParallel(gone, PARALLEL, async ([storageId, id]) => {
    if ((await storage.stat({ type: "file", id: storageId })) !== null) return;
    const entry = await catalog.find(root.tenant, { id });
    if (entry?.type === "file" && entry.version.storageId === storageId)
      removable.set(storageId, id);
  });
  if (removable.size === 0) return;
  await inParallel(removable, PARALLEL, ([storageId, id]) =>
    catalog.remove(root.tenant, id, { gone: storageId }),
  );
  // Older versions may have bytes elsewhere in the storage.
  await sweeper.sweep();
}
