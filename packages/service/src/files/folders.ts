import type { CatalogFolder, FolderRef, StorageOptions } from "@quire/core/host";
import { hasCode, nameTaken, notFound, storageMissing } from "./file-errors.ts";
import type { FilesContext } from "./files-context.ts";
import type { TenantRoot } from "./tenant-roots.ts";

/**
 * Creates a folder in the storage and adds it to the catalog. Rejects `conflict` if the name is taken in the storage or
 * in the catalog.
 */
export async function makeFolder(
  context: FilesContext,
  root: TenantRoot,
  parent: CatalogFolder,
  name: string,
  createdBy: string | null,
  options: StorageOptions = {},
): Promise<CatalogFolder> {
  const { catalog, adoptions, sweeper } = context;
  const key = { parentId: parent.id, name };
  await adoptions.fresh(root, parent);
  if ((await catalog.find(root.tenant, key)) !== null) throw nameTaken(name);
  try {
    return await addFolder(context, root, parent, name, createdBy, options);
  } catch (error) {
    if (!hasCode(error, "conflict")) throw error;
    const holder = await catalog.find(root.tenant, key);
    // The folder did not exist before, so a concurrent listing has adopted the folder that was created here.
    if (holder?.type === "folder" && holder.createdBy === null) return holder;
    if (holder !== null) throw nameTaken(name, error);
  }
  // A folder of this name, or files that were in it, still wait for their removal from the storage.
  await sweeper.sweep();
  return addFolder(context, root, parent, name, createdBy, options);
}

async function addFolder(
  context: FilesContext,
  root: TenantRoot,
  parent: CatalogFolder,
  name: string,
  createdBy: string | null,
  options: StorageOptions,
): Promise<CatalogFolder> {
  const ref = await folderInStorage(context, parent, name, options);
  const entry = { type: "folder", parentId: parent.id, name, storageId: ref.id } as const;
  try {
    const added = await context.catalog.add(root.tenant, { ...entry, createdBy });
    // A sweep of an older folder with the same name may have removed this folder, so it is created again if necessary.
    // Now that the catalog knows the folder, no sweep will remove it.
    await folderInStorage(context, parent, name, {});
    if (added.type === "folder") return added;
    throw nameTaken(name);
  } catch (error) {
    throw hasCode(error, "not_found") ? notFound("folder", parent.id) : error;
  }
}

async function folderInStorage(
  context: FilesContext,
  parent: CatalogFolder,
  name: string,
  options: StorageOptions,
): Promise<FolderRef> {
  const place = { type: "folder", id: parent.storageId } as const;
  try {
    return await context.storage.createFolder(place, name, options);
  } catch (error) {
    if (!hasCode(error, "not_found")) throw error;
    await remakeFolder(context, parent);
    return context.storage.createFolder(place, name, options);
  }
}

/**
 * Recreates a folder that was removed from the storage, and its parents. Rejects `not_found` if the catalog does not
 * have the folder either.
 */
export async function remakeFolder(
  context: FilesContext,
  { id, tenant }: Pick<CatalogFolder, "id" | "tenant">,
): Promise<void> {
  const { storage, catalog, tenantRoots } = context;
  const folder = await catalog.find(tenant, { id });
  if (folder?.type !== "folder") throw notFound("folder", id);
  if (folder.parentId === null) {
    tenantRoots.forget(tenant);
    await tenantRoots.of(tenant);
    return;
  }
  const around = await catalog.find(tenant, { id: folder.parentId });
  if (around?.type !== "folder") throw notFound("folder", id);
  await remakeFolder(context, around);
  const made = await storage.createFolder({ type: "folder", id: around.storageId }, folder.name);
  if (made.id !== folder.storageId) throw storageMissing();
}
