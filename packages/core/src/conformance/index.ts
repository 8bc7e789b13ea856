export {
  type ConverterConformanceOptions,
  type ConverterFixture,
  converterConformance,
} from "./converter.ts";
export { type StorageConformanceOptions, storageConformance } from "./storage.ts";
export type { StorageFixture } from "./storage-fixture.ts";
