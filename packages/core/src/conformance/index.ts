export {
  type ConverterConformanceOptions,
  type ConverterFixture,
  converterConformance,
} from "./converter.ts";
export { type JobStoreConformanceOptions, jobStoreConformance } from "./job-store.ts";
export type { JobStoreFixture } from "./job-store-fixture.ts";
export { type StorageConformanceOptions, storageConformance } from "./storage.ts";
export type { StorageFixture } from "./storage-fixture.ts";
