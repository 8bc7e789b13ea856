import type { FileCatalog, Storage, StoredFile } from "@quire/core/host";
import type { KeptValues } from "../kept-values.ts";
import type { TenantQuotas } from "../quotas.ts";
import type { Homes } from "./homes.ts";
import type { Sweeper } from "./sweeper.ts";

/** What the storage and the catalog are brought together with. */
export interface CatalogContext {
  readonly storage: Storage;
  readonly catalog: FileCatalog;
  readonly homes: Homes;
  readonly sweeper: Sweeper;
  /** Null without quotas. */
  readonly quotas: TenantQuotas | null;
  /** Hidden files that were read last, by their version in the storage: they never change. */
  readonly kept: KeptValues<StoredFile>;
}
