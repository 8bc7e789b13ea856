import type {
  FileCatalog,
  JobStore,
  TemplateStore,
  TenantStore,
  WebhookStore,
} from "@quire/core/host";

/** The stores of a service, for example `sqliteStores({ path })` of `@quire/jobs-sqlite`. */
export interface ServiceStores {
  readonly jobs: JobStore;
  readonly files: FileCatalog;
  readonly templates: TemplateStore;
  readonly webhooks: WebhookStore;
  /** The tenants that an operator has changed: see `createOperator`. Default: none. */
  readonly tenants?: TenantStore;
  close(): Promise<void>;
}
