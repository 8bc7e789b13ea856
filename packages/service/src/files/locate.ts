import type { CatalogEntry, CatalogFolder } from "@quire/core/host";
import { adoptFound } from "./adopt-found.ts";
import type { FilesContext } from "./files-context.ts";
import { parseId } from "./item-names.ts";
import { reconcileFile } from "./reconcile.ts";
import type { TenantRoot } from "./tenant-roots.ts";

/** The type to look for; `any` accepts both. */
export type Sought = CatalogEntry["type"] | "any";

/**
 * Returns the item with this id, in a form that {@link parseId} accepts, as recorded in the catalog. If only the
 * storage has an item at a path, adds the item to the catalog. Returns null if the item does not exist or the id is
 * invalid. Rejects `forbidden` for an invalid path.
 */
export async function locate(
  context: FilesContext,
  root: TenantRoot,
  id: string,
  sought: Sought,
  signal?: AbortSignal,
): Promise<CatalogEntry | null> {
  const parsed = parseId(id);
  if (parsed.by === "none") return null;
  let found: CatalogEntry | null = root.folder;
  if (parsed.by === "id") found = await context.catalog.find(root.tenant, { id: parsed.id });
  if (parsed.by === "path") found = await byPath(context, root, parsed.path, sought, signal);
  return found !== null && (sought === "any" || found.type === sought) ? found : null;
}

/** Returns the item at a path below the tenant's root; null if it does not exist. The names come from `parsePath`. */
export async function byPath(
  context: FilesContext,
  root: TenantRoot,
  path: readonly string[],
  sought: Sought,
  signal?: AbortSignal,
): Promise<CatalogEntry | null> {
  let folder = root.folder;
  for (const name of path.slice(0, -1)) {
    const next = await folderNamed(context, root, folder, name);
    if (next?.type !== "folder") return null;
    folder = next;
  }
  const last = path.at(-1);
  if (last === undefined) return folder;
  if (sought === "folder") return folderNamed(context, root, folder, last);
  const file = await fileNamed(context, root, folder, last, signal);
  return file ?? (sought === "any" ? folderNamed(context, root, folder, last) : null);
}

/** Returns the item with this name in a folder, or null. Adopts folders that only the storage has. */
async function folderNamed(
  { catalog, adoptions }: FilesContext,
  root: TenantRoot,
  folder: CatalogFolder,
  name: string,
): Promise<CatalogEntry | null> {
  const key = { parentId: folder.id, name };
  const known = await catalog.find(root.tenant, key);
  if (known !== null) return known;
  await adoptions.recent(root, folder);
  return catalog.find(root.tenant, key);
}

/**
 * Returns the item with this name in a folder, or null. Adopts a file that only the storage has, even if
 * it is very new.
 */
async function fileNamed(
  context: FilesContext,
  root: TenantRoot,
  folder: CatalogFolder,
  name: string,
  signal: AbortSignal | undefined,
): Promise<CatalogEntry | null> {
  const { storage, catalog } = context;
  const key = { parentId: folder.id, name };
  const known = await catalog.find(root.tenant, key);
  if (known !== null) return known;
  const place = { type: "folder", id: folder.storageId } as const;
  const info = await storage.find(place, name, signal === undefined ? {} : { signal });
  if (info === null) return null;
  const { type, id: storageId } = info.ref;
  // A renamed file still has its old name in the storage.
  if ((await catalog.find(root.tenant, { type, storageId })) === null)
    await adoptFound(context, root, folder, info);
  return catalog.find(root.tenant, key);
}

/**
 * Returns the current item with this name in a folder, in the catalog or only in the storage; null if the name is free.
 */
export async function holderOf(
  context: FilesContext,
  root: TenantRoot,
  folder: CatalogFolder,
  name: string,
  signal?: AbortSignal,
): Promise<CatalogEntry | null> {
  const entry = await fileNamed(context, root, folder, name, signal);
  return entry?.type === "file" ? reconcileFile(context, root, entry, signal) : entry;
}

/**
 * Returns the item with this name in a folder of the catalog; null if the name is free. Ignores a file that was removed
 * from the storage, and items that only the storage has.
 */
export async function knownHolderOf(
  context: FilesContext,
  root: TenantRoot,
  { folder, name }: { readonly folder: CatalogFolder; readonly name: string },
  signal?: AbortSignal,
): Promise<CatalogEntry | null> {
  const entry = await context.catalog.find(root.tenant, { parentId: folder.id, name });
  return entry?.type === "file" ? reconcileFile(context, root, entry, signal) : entry;
}
