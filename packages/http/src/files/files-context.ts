import type { CatalogContext } from "./context.ts";
import type { PickUps } from "./pick-ups.ts";

/** What all that the service does with files is done with. */
export interface FilesContext extends CatalogContext {
  readonly pickUps: PickUps;
  readonly maxFileBytes: number;
}
