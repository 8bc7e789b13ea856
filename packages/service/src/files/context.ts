import type { FileCatalog, Storage, StoredFile } from "@quire/core/host";
import type { KeptValues } from "../kept-values.ts";
import type { TenantQuotas } from "../quotas.ts";
import type { Homes } from "./homes.ts";
import type { Sweeper } from "./sweeper.ts";

/** The storage, the catalog and what connects them. */
export interface CatalogContext {
  readonly storage: Storage;
  readonly catalog: FileCatalog;
  readonly homes: Homes;
  readonly sweeper: Sweeper;
  /** Null without quotas. */
  readonly quotas: TenantQuotas | null;
  /** A cache of recently read hidden files, by storage id and version. Hidden files never change. */
  readonly kept: KeptValues<StoredFile>;
}
