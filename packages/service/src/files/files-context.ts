import type { Adoptions } from "./adoptions.ts";
import type { CatalogContext } from "./catalog-context.ts";

/** The dependencies of all file operations. */
export interface FilesContext extends CatalogContext {
  readonly adoptions: Adoptions;
  readonly maxFileBytes: number;
}
