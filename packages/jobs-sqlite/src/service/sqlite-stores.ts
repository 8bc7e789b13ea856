import type {
  FileCatalog,
  JobStore,
  TemplateStore,
  TenantStore,
  TokenStore,
  WebhookStore,
} from "@quire/core/host";
import { openJobStore, type SqliteJobStoreOptions } from "../sqlite-job-store.ts";
import { sqliteFileCatalog } from "./sqlite-file-catalog.ts";
import { sqliteTemplateStore } from "./sqlite-template-store.ts";
import { sqliteTenantStore } from "./sqlite-tenant-store.ts";
import { sqliteTokenStore } from "./sqlite-token-store.ts";
import { sqliteWebhookStore } from "./sqlite-webhook-store.ts";

/** All that a service keeps, in one file. */
export interface SqliteStores {
  /** Closing it, as the engine does that is given it, closes all of them. */
  readonly jobs: JobStore;
  readonly files: FileCatalog;
  readonly templates: TemplateStore;
  readonly tokens: TokenStore;
  readonly webhooks: WebhookStore;
  readonly tenants: TenantStore;

  /** Closes all of them, with the workers and acceptances of `jobs`. Closing twice is not an error. */
  close(): Promise<void>;
}

/**
 * The job store of `sqliteJobStore`, and beside it what a service keeps, in the same file and over one connection, so
 * that writes that come together are synced together. Throws like `sqliteJobStore`. When it is closed every method of
 * every store rejects with `job_store_failed`.
 */
export function sqliteStores(options: SqliteJobStoreOptions): SqliteStores {
  const { jobs, database, writer } = openJobStore(options);
  return {
    jobs,
    files: sqliteFileCatalog(database, writer),
    templates: sqliteTemplateStore(database, writer),
    tokens: sqliteTokenStore(database, writer),
    webhooks: sqliteWebhookStore(database, writer),
    tenants: sqliteTenantStore(database, writer),
    close: () => jobs.close(),
  };
}
