import {
  checkOptions,
  type FileCatalog,
  type JobStore,
  type TemplateStore,
  type TenantStore,
  type TokenStore,
  type WebhookStore,
} from "@quire/contracts";
import { openJobStore, type SqliteJobStoreOptions } from "../sqlite-job-store.ts";
import { sqliteFileCatalog } from "./sqlite-file-catalog.ts";
import { sqliteTemplateStore } from "./sqlite-template-store.ts";
import { sqliteTenantStore } from "./sqlite-tenant-store.ts";
import { sqliteTokenStore } from "./sqlite-token-store.ts";
import { sqliteWebhookStore } from "./sqlite-webhook-store.ts";

/** All stores of a service, in one file. */
export interface SqliteStores {
  /** Closing this store closes all stores. The engine that uses it closes it. */
  readonly jobs: JobStore;
  /** The files and folders of all tenants. `close` closes it. */
  readonly files: FileCatalog;
  /** Which of these files are templates. `close` closes it. */
  readonly templates: TemplateStore;
  /** The access tokens that the service has issued, as hashes. `close` closes it. */
  readonly tokens: TokenStore;
  /** Webhooks, and the deliveries that wait. `close` closes it. */
  readonly webhooks: WebhookStore;
  /** The operator's settings for tenants, and the audit log. `close` closes it. */
  readonly tenants: TenantStore;

  /** Closes all stores, with the workers and acceptances of `jobs`. Closing twice is not an error. */
  close(): Promise<void>;
}

/**
 * Creates the job store of `sqliteJobStore` together with the other stores of a service, in the same file and with one
 * connection, so that concurrent writes share a sync to disk. Throws like `sqliteJobStore`. After closing, every method
 * of every store rejects with `job_store_failed`.
 */
export function sqliteStores(options: SqliteJobStoreOptions): SqliteStores {
  checkOptions("sqliteStores()", options, { path: true, maxWaiting: true });
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
