import {
  type CatalogFolder,
  type FolderEntry,
  type FolderRef,
  foldName,
  isQuireError,
} from "@quire/core/host";
import type { CatalogContext } from "./catalog-context.ts";
import { hasCode } from "./file-errors.ts";
import { inParallel } from "./in-parallel.ts";
import { isItemName } from "./item-names.ts";
import { removeMissing } from "./reconcile.ts";
import { isBelow } from "./storage-layout.ts";
import type { TenantRoot } from "./tenant-roots.ts";

/** Maximum number of entries per page. It is high, because a storage may read the whole folder for each page. */
const STORAGE_PAGE = 100_000;
const CATALOG_PAGE = 10_000;
/** The maximum number of entries that are added at the same time. */
const PARALLEL = 100;

/** The items of a folder that are already in the catalog. */
interface Known {
  /** Files whose bytes are in the storage's folder, as a map from storage ids to catalog ids. */
  readonly files: Map<string, string>;
  readonly folders: Set<string>;
  readonly foldedNames: Set<string>;
}

/**
 * Adds the items of a storage folder to the catalog, and removes files from the catalog that are no longer in the
 * folder. Skips items that wait for removal, items with invalid names, and items whose name is already taken, ignoring
 * case. A skipped item is added when its name becomes free, and never under another name. Does not check whether known
 * files have changed, because that may require reading them (see `reconcileFile`).
 */
export async function adoptExternal(
  context: CatalogContext,
  root: TenantRoot,
  folder: CatalogFolder,
): Promise<void> {
  const known = await knownIn(context, root, folder);
  const notSeen = new Map(known.files);
  const place: FolderRef = { type: "folder", id: folder.storageId };
  for await (const entries of pagesOf(context, place)) {
    const added: FolderEntry[] = [];
    for (const entry of entries) {
      if (entry.ref.type === "file") notSeen.delete(entry.ref.id);
      if (isNew(known, entry)) added.push(entry);
    }
    await inParallel(added, PARALLEL, (entry) => addEntry(context, root, folder, entry));
  }
  await removeMissing(context, root, notSeen);
}

async function knownIn(
  { catalog }: CatalogContext,
  root: TenantRoot,
  folder: CatalogFolder,
): Promise<Known> {
  const known: Known = { files: new Map(), folders: new Set(), foldedNames: new Set() };
  let marker: string | null | undefined;
  while (marker !== null) {
    const page = await catalog.list(root.tenant, folder.id, { limit: CATALOG_PAGE, marker });
    for (const item of page.items) {
      known.foldedNames.add(foldName(item.name));
      if (item.type === "folder") known.folders.add(item.storageId);
      else if (!isBelow(root.hidden.id, item.version.storageId))
        known.files.set(item.version.storageId, item.id);
    }
    marker = page.nextMarker;
  }
  return known;
}

/** Yields the entries of the folder, page by page; none if the folder does not exist. */
async function* pagesOf(
  { storage }: CatalogContext,
  folder: FolderRef,
): AsyncGenerator<readonly FolderEntry[], void, undefined> {
  let marker: string | null | undefined;
  while (marker !== null) {
    try {
      const page = await storage.list(folder, {
        limit: STORAGE_PAGE,
        ...(marker === undefined ? {} : { marker }),
      });
      marker = page.nextMarker;
      yield page.entries;
    } catch (error) {
      if (!hasCode(error, "not_found")) throw error;
      return;
    }
  }
}

/** Whether an entry may be added. If so, marks its name as taken. */
function isNew({ files, folders, foldedNames }: Known, { ref, name }: FolderEntry): boolean {
  const isKnown = ref.type === "file" ? files.has(ref.id) : folders.has(ref.id);
  if (isKnown || !isItemName(name) || foldedNames.has(foldName(name))) return false;
  foldedNames.add(foldName(name));
  return true;
}

/** Adds an item of the storage to the catalog, unless its name or its bytes are already there. */
export async function addEntry(
  { storage, catalog }: CatalogContext,
  { tenant }: TenantRoot,
  folder: CatalogFolder,
  { ref, name }: FolderEntry,
): Promise<void> {
  const parentId = folder.id;
  try {
    if (ref.type === "folder") {
      const storageId = ref.id;
      await catalog.add(tenant, { type: "folder", parentId, name, storageId, createdBy: null });
      return;
    }
    // This also finds the bytes of older versions.
    if ((await catalog.find(tenant, { type: "file", storageId: ref.id })) !== null) return;
    // `find` makes the file durable, unlike `stat`. The process that created the file may have ended before that.
    const info = await storage.find({ type: "folder", id: folder.storageId }, name);
    if (info?.ref.id !== ref.id) return;
    const version = {
      storageId: ref.id,
      storageVersion: info.version,
      size: info.size,
      sha1: null,
      createdBy: null,
    };
    await catalog.add(tenant, { type: "file", parentId, name, createdBy: null, version });
  } catch (error) {
    // An unreadable file, or a file that somebody else has just added, must not prevent listing the other files.
    if (!isQuireError(error) || error.code === "job_store_failed") throw error;
  }
}
