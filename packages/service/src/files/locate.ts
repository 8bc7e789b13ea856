import type { CatalogEntry, CatalogFolder } from "@quire/core/host";
import { current } from "./current.ts";
import type { FilesContext } from "./files-context.ts";
import type { Home } from "./homes.ts";
import { parseId } from "./names.ts";

/** The type to look for; `any` accepts both. */
export type Sought = CatalogEntry["type"] | "any";

/**
 * The item with an id of {@link parseId}, as the catalog knows it. Picks up items that the storage has under a path.
 * Null if the item does not exist or the id is invalid. Rejects `forbidden` for an invalid path.
 */
export async function locate(
  context: FilesContext,
  home: Home,
  id: string,
  sought: Sought,
  signal?: AbortSignal,
): Promise<CatalogEntry | null> {
  const parsed = parseId(id);
  if (parsed.by === "none") return null;
  let found: CatalogEntry | null = home.root;
  if (parsed.by === "id") found = await context.catalog.find(home.tenant, { id: parsed.id });
  if (parsed.by === "path") found = await byPath(context, home, parsed.path, sought, signal);
  return found !== null && (sought === "any" || found.type === sought) ? found : null;
}

/** The item at a path below the tenant's root; the names come from `parsePath`. Null if the item does not exist. */
export async function byPath(
  context: FilesContext,
  home: Home,
  path: readonly string[],
  sought: Sought,
  signal?: AbortSignal,
): Promise<CatalogEntry | null> {
  let folder = home.root;
  for (const name of path.slice(0, -1)) {
    const next = await folderNamed(context, home, folder, name);
    if (next?.type !== "folder") return null;
    folder = next;
  }
  const last = path.at(-1);
  if (last === undefined) return folder;
  if (sought === "folder") return folderNamed(context, home, folder, last);
  const file = await fileNamed(context, home, folder, last, signal);
  return file ?? (sought === "any" ? folderNamed(context, home, folder, last) : null);
}

/** The item with a name in a folder. Picks up the folders of the storage that are not known yet. */
async function folderNamed(
  { catalog, pickUps }: FilesContext,
  home: Home,
  folder: CatalogFolder,
  name: string,
): Promise<CatalogEntry | null> {
  const key = { parentId: folder.id, name };
  const known = await catalog.find(home.tenant, key);
  if (known !== null) return known;
  await pickUps.recent(home, folder);
  return catalog.find(home.tenant, key);
}

/** The item with a name in a folder. Picks up a file of the storage that is not known yet, even if it is very new. */
async function fileNamed(
  { storage, catalog, pickUps }: FilesContext,
  home: Home,
  folder: CatalogFolder,
  name: string,
  signal: AbortSignal | undefined,
): Promise<CatalogEntry | null> {
  const key = { parentId: folder.id, name };
  const known = await catalog.find(home.tenant, key);
  if (known !== null) return known;
  const place = { type: "folder", id: folder.storageId } as const;
  const info = await storage.find(place, name, signal === undefined ? {} : { signal });
  if (info === null) return null;
  const { type, id: storageId } = info.ref;
  // A renamed file has its old name in the storage.
  if ((await catalog.find(home.tenant, { type, storageId })) === null) {
    // Uses a listing of the folder: a case-insensitive file system finds the file under other names as well.
    await pickUps.fresh(home, folder);
  }
  return catalog.find(home.tenant, key);
}

/** The current item with a name in a folder, in the catalog or only in the storage. Null if the name is free. */
export async function holderOf(
  context: FilesContext,
  home: Home,
  folder: CatalogFolder,
  name: string,
  signal?: AbortSignal,
): Promise<CatalogEntry | null> {
  const entry = await fileNamed(context, home, folder, name, signal);
  return entry?.type === "file" ? current(context, home, entry, signal) : entry;
}

/**
 * The item with a name in a folder of the catalog. Ignores a file that somebody else has removed from the storage, and
 * items that only the storage has. Null if the name is free.
 */
export async function knownHolderOf(
  context: FilesContext,
  home: Home,
  { folder, name }: { readonly folder: CatalogFolder; readonly name: string },
  signal?: AbortSignal,
): Promise<CatalogEntry | null> {
  const entry = await context.catalog.find(home.tenant, { parentId: folder.id, name });
  return entry?.type === "file" ? current(context, home, entry, signal) : entry;
}
