import type { FileCatalog, Storage, StoredFile } from "@quire/core/host";
import type { LRUCache } from "lru-cache";
import type { TenantQuotas } from "../limits/quotas.ts";
import type { Sweeper } from "./sweeper.ts";
import type { TenantRoots } from "./tenant-roots.ts";

/** The storage, the catalog, and the objects that connect them. */
export interface CatalogContext {
  readonly storage: Storage;
  readonly catalog: FileCatalog;
  readonly tenantRoots: TenantRoots;
  readonly sweeper: Sweeper;
  /** Null if there are no quotas. */
  readonly quotas: TenantQuotas | null;
  /** A cache of recently read hidden files, by storage id and version. Hidden files never change. */
  readonly cache: LRUCache<string, StoredFile>;
}
