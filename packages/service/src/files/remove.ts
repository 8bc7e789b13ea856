import type { CatalogEntry, CatalogFolder } from "@quire/core/host";
import type { FilesContext } from "./files-context.ts";
import type { ChangeOptions } from "./files-types.ts";
import type { Home } from "./homes.ts";
import { inParallel } from "./in-parallel.ts";
import { hasCode, notEmpty, rootStays } from "./problems.ts";

const PAGE = 1000;
const PARALLEL = 16;
/** How many times a folder is emptied if others add items at the same time. */
const MAX_TRIES = 3;

/**
 * Removes a file or folder from the catalog, and then its bytes from the storage. If the storage fails, a later sweep
 * removes the bytes. Rejects `conflict` for a folder that is not empty, unless `recursive` is true, and `forbidden` for
 * the root.
 */
export async function removeEntry(
  context: FilesContext,
  home: Home,
  entry: CatalogEntry,
  { recursive = false, ifStill }: ChangeOptions & { readonly recursive?: boolean } = {},
): Promise<void> {
  if (entry.type === "file") await context.catalog.remove(home.tenant, entry.id, { ifStill });
  else await removeFolder(context, home, entry, recursive);
  await sweepQuietly(context);
}

async function removeFolder(
  context: FilesContext,
  home: Home,
  folder: CatalogFolder,
  recursive: boolean,
): Promise<void> {
  if (folder.parentId === null) throw rootStays();
  for (let tries = 1; ; tries++) {
    // Items that others have added count as content.
    await context.pickUps.fresh(home, folder);
    if (recursive) await emptyFolder(context, home, folder);
    try {
      await context.catalog.remove(home.tenant, folder.id);
      return;
    } catch (error) {
      if (!hasCode(error, "conflict")) throw error;
      if (!recursive || tries === MAX_TRIES) throw notEmpty(folder.name, error);
    }
  }
}

async function emptyFolder(
  context: FilesContext,
  home: Home,
  folder: CatalogFolder,
): Promise<void> {
  const { catalog } = context;
  for (;;) {
    const { items } = await catalog.list(home.tenant, folder.id, { limit: PAGE });
    if (items.length === 0) return;
    await inParallel(items, PARALLEL, async (item) => {
      if (item.type === "file") await catalog.remove(home.tenant, item.id);
      else await removeFolder(context, home, item, true);
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
