import type { FileCatalog, Storage } from "@quire/core";
import type { Homes } from "./homes.ts";
import type { Sweeper } from "./sweeper.ts";

/** What the storage and the catalog are brought together with. */
export interface CatalogContext {
  readonly storage: Storage;
  readonly catalog: FileCatalog;
  readonly homes: Homes;
  readonly sweeper: Sweeper;
}
