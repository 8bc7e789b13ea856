import type { CatalogEntry, CatalogFolder } from "@quire/core/host";
import { current } from "./current.ts";
import type { FilesContext } from "./files-context.ts";
import type { Home } from "./homes.ts";
import { parseId } from "./names.ts";

/** The type of what is looked for; `any` takes either. */
export type Sought = CatalogEntry["type"] | "any";

/**
 * What an id of {@link parseId} stands for, as the catalog knows it; what stands in the storage under a path is picked
 * up. Null when there is no such thing, and for an id that is none. Rejects `forbidden` for a path that is none.
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

/** What stands at a path below the tenant's root, by names of `parsePath`. Null when there is no such thing. */
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

/** What has a name in a folder; a folder of the storage that is not known yet is picked up. */
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

/** What has a name in a folder; a file of the storage that is not known yet is picked up, however new it is. */
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
  // One that was renamed has its old name in the storage.
  if ((await catalog.find(home.tenant, { type, storageId })) === null) {
    // By the folder's listing: a file system that makes no difference of case finds it under names that it has not.
    await pickUps.fresh(home, folder);
  }
  return catalog.find(home.tenant, key);
}

/** What has a name in a folder now: in the catalog, or in the storage alone. Null when the name is free. */
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
 * What has a name in a folder in the catalog. A file that somebody else has removed from the storage does not count; one
 * that the storage alone has is not looked for. Null when the name is free.
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
