import "@quire/contracts";

export {
  type ConverterConformanceOptions,
  type ConverterFixture,
  converterConformance,
} from "./converter.ts";
export { fileCatalogConformance } from "./file-catalog/file-catalog.ts";
export type { FileCatalogFixture } from "./file-catalog/fixture.ts";
export type { JobStoreFixture } from "./job-store/fixture.ts";
export { type JobStoreConformanceOptions, jobStoreConformance } from "./job-store/job-store.ts";
export type { ServiceStoreConformanceOptions, ServiceStoreFixture } from "./service-fixture.ts";
export type { StorageFixture } from "./storage/fixture.ts";
export { type StorageConformanceOptions, storageConformance } from "./storage/storage.ts";
export { templateStoreConformance } from "./template-store.ts";
export { tenantStoreConformance } from "./tenant-store.ts";
export { tokenStoreConformance } from "./token-store.ts";
export { webhookStoreConformance } from "./webhook-store/webhook-store.ts";
