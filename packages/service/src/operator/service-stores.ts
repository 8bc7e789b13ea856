import type {
  FileCatalog,
  JobStore,
  TemplateStore,
  TenantStore,
  WebhookStore,
} from "@quire/core/host";

/** The stores of a service, for example `sqliteStores({ path })` of `@quire/jobs-sqlite`. */
export interface ServiceStores {
  /** Batches, jobs and their data. The engine closes it. */
  readonly jobs: JobStore;
  /** The ids, names and versions of files and folders. The bytes are in the storage. */
  readonly files: FileCatalog;
  /** The files that are marked as templates. */
  readonly templates: TemplateStore;
  /** Webhooks, and the events that wait to be sent. */
  readonly webhooks: WebhookStore;
  /** The operator's settings for tenants; see `createOperator`. Default: none. */
  readonly tenants?: TenantStore;
  /** Closes all stores. Called after the engine has closed `jobs`, so closing a store twice must not be an error. */
  close(): Promise<void>;
}
