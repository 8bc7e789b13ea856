import type { CatalogContext } from "./context.ts";
import type { PickUps } from "./pick-ups.ts";

/** The dependencies of all file operations. */
export interface FilesContext extends CatalogContext {
  readonly pickUps: PickUps;
  readonly maxFileBytes: number;
}
