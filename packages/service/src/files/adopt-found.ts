import type { CatalogFolder, FileInfo } from "@quire/core/host";
import { addEntry } from "./adopt-external.ts";
import type { FilesContext } from "./files-context.ts";
import { isItemName } from "./item-names.ts";
import type { TenantRoot } from "./tenant-roots.ts";

/**
 * Adds a file that only the storage has to the catalog, like an adoption of the folder. Reads the whole folder only if the
 * storage may have found the file under another name than its own.
 */
export async function adoptFound(
  context: FilesContext,
  root: TenantRoot,
  folder: CatalogFolder,
  found: FileInfo,
): Promise<void> {
  if (context.storage.hasExactNames !== true) await context.adoptions.fresh(root, folder);
  else if (isItemName(found.name)) await addEntry(context, root, folder, found);
}
