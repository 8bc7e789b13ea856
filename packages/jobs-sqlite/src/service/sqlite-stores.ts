import type {
  FileCatalog,
  JobStore,
  TemplateStore,
  TenantStore,
  TokenStore,
  WebhookStore,
} from "@quire/contracts";
import { openJobStore, type SqliteJobStoreOptions } from "../sqlite-job-store.ts";
import { sqliteFileCatalog } from "./sqlite-file-catalog.ts";
import { sqliteTemplateStore } from "./sqlite-template-store.ts";
import { sqliteTenantStore } from "./sqlite-tenant-store.ts";
import { sqliteTokenStore } from "./sqlite-token-store.ts";
import { sqliteWebhookStore } from "./sqlite-webhook-store.ts";

/** All stores of a service, in one file. */
export interface SqliteStores {
  /** Closing it closes all stores. The engine that uses it closes it. */
  readonly jobs: JobStore;
  readonly files: FileCatalog;
  readonly templates: TemplateStore;
  readonly tokens: TokenStore;
  readonly webhooks: WebhookStore;
  readonly tenants: TenantStore;

  /** Closes all stores, with the workers and acceptances of `jobs`. Closing twice is not an error. */
  close(): Promise<void>;
}

/**
 * Creates the job store of `sqliteJobStore` together with the other stores of a service, in the same file and over
 * one connection, so that concurrent writes share a sync to disk. Throws like `sqliteJobStore`. After closing, every
 * method of every store rejects with `job_store_failed`.
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
