import type { CatalogEntry, CatalogFolder } from "@quire/core/host";
import { hasCode, notEmpty, rootNotRemovable } from "./file-errors.ts";
import type { FilesContext } from "./files-context.ts";
import type { ChangeOptions } from "./files-types.ts";
import { inParallel } from "./in-parallel.ts";
import type { TenantRoot } from "./tenant-roots.ts";

const PAGE = 1000;
const PARALLEL = 16;
/** The maximum number of attempts to empty a folder while others add items. */
const MAX_TRIES = 3;

/**
 * Removes a file or folder from the catalog, and then its bytes from the storage. If the storage fails, a later sweep
 * removes the bytes. Rejects `conflict` for a folder that is not empty, unless `recursive` is true, and `forbidden` for
 * the root.
 */
export async function removeEntry(
  context: FilesContext,
  root: TenantRoot,
  entry: CatalogEntry,
  { recursive = false, ifStill }: ChangeOptions & { readonly recursive?: boolean } = {},
): Promise<void> {
  if (entry.type === "file") await context.catalog.remove(root.tenant, entry.id, { ifStill });
  else await removeFolder(context, root, entry, recursive);
  await sweepQuietly(context);
}

async function removeFolder(
  context: FilesContext,
  root: TenantRoot,
  folder: CatalogFolder,
  recursive: boolean,
): Promise<void> {
  if (folder.parentId === null) throw rootNotRemovable();
  for (let tries = 1; ; tries++) {
    // Items that other programs have added count as content.
    await context.adoptions.fresh(root, folder);
    if (recursive) await emptyFolder(context, root, folder);
    try {
      await context.catalog.remove(root.tenant, folder.id);
      return;
    } catch (error) {
      if (!hasCode(error, "conflict")) throw error;
      if (!recursive || tries === MAX_TRIES) throw notEmpty(folder.name, error);
    }
  }
}

async function emptyFolder(
  context: FilesContext,
  root: TenantRoot,
  folder: CatalogFolder,
): Promise<void> {
  const { catalog } = context;
  for (;;) {
    const { items } = await catalog.list(root.tenant, folder.id, { limit: PAGE });
    if (items.length === 0) return;
    await inParallel(items, PARALLEL, async (item) => {
      if (item.type === "file") await catalog.remove(root.tenant, item.id);
      else await removeFolder(context, root, item, true);
    });
  }
}

async function sweepQuietly({ sweeper }: FilesContext): Promise<void> {
  try {
    await sweeper.sweep();
  } catch {
    // The catalog no longer has the item. The next sweep removes its bytes.
  }
}
