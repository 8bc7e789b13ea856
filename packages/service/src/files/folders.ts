import type { CatalogFolder, FolderRef, StorageOptions } from "@quire/core/host";
import type { FilesContext } from "./files-context.ts";
import type { Home } from "./homes.ts";
import { hasCode, missing, storageAway, taken } from "./problems.ts";

/**
 * Creates a folder in the storage and adds it to the catalog. Rejects `conflict` if the name is taken in either of
 * them.
 */
export async function makeFolder(
  context: FilesContext,
  home: Home,
  parent: CatalogFolder,
  name: string,
  createdBy: string | null,
  options: StorageOptions = {},
): Promise<CatalogFolder> {
  const { catalog, pickUps, sweeper } = context;
  const key = { parentId: parent.id, name };
  await pickUps.fresh(home, parent);
  if ((await catalog.find(home.tenant, key)) !== null) throw taken(name);
  try {
    return await addFolder(context, home, parent, name, createdBy, options);
  } catch (error) {
    if (!hasCode(error, "conflict")) throw error;
    const holder = await catalog.find(home.tenant, key);
    // It did not exist before, so a listing has picked up the folder that we have created.
    if (holder?.type === "folder" && holder.createdBy === null) return holder;
    if (holder !== null) throw taken(name, error);
  }
  // A folder of this name, or files that were in it, still wait for removal from the storage.
  await sweeper.sweep();
  return addFolder(context, home, parent, name, createdBy, options);
}

async function addFolder(
  context: FilesContext,
  home: Home,
  parent: CatalogFolder,
  name: string,
  createdBy: string | null,
  options: StorageOptions,
): Promise<CatalogFolder> {
  const ref = await folderInStorage(context, parent, name, options);
  const entry = { type: "folder", parentId: parent.id, name, storageId: ref.id } as const;
  try {
    const added = await context.catalog.add(home.tenant, { ...entry, createdBy });
    // A sweep of a folder with the same name may have removed this one. Now that the catalog knows it, no sweep does.
    await folderInStorage(context, parent, name, {});
    if (added.type === "folder") return added;
    throw taken(name);
  } catch (error) {
    throw hasCode(error, "not_found") ? missing("folder", parent.id) : error;
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
 * Recreates a folder that somebody else has removed from the storage, and its parents. Rejects `not_found` if the
 * catalog no longer has the folder either.
 */
export async function remakeFolder(
  context: FilesContext,
  { id, tenant }: Pick<CatalogFolder, "id" | "tenant">,
): Promise<void> {
  const { storage, catalog, homes } = context;
  const folder = await catalog.find(tenant, { id });
  if (folder?.type !== "folder") throw missing("folder", id);
  if (folder.parentId === null) {
    homes.forget(tenant);
    await homes.of(tenant);
    return;
  }
  const around = await catalog.find(tenant, { id: folder.parentId });
  if (around?.type !== "folder") throw missing("folder", id);
  await remakeFolder(context, around);
  const made = await storage.createFolder({ type: "folder", id: around.storageId }, folder.name);
  if (made.id !== folder.storageId) throw storageAway();
}
