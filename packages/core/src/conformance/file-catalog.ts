import type { FileCatalog } from "../ports/file-catalog.ts";
import { addCases } from "./file-catalog-add.ts";
import { changeCases } from "./file-catalog-change.ts";
import type { FileCatalogFixture } from "./file-catalog-fixture.ts";
import { listCases } from "./file-catalog-list.ts";
import { sweepCases } from "./file-catalog-sweep.ts";
import { useCases } from "./file-catalog-use.ts";
import { registerServiceCases, type ServiceStoreConformanceOptions } from "./service-fixture.ts";

/** The contract of `FileCatalog` as tests, for any implementation and any runner. */
export function fileCatalogConformance(
  options: ServiceStoreConformanceOptions<FileCatalogFixture>,
): void {
  const cases = { ...addCases, ...listCases, ...changeCases, ...sweepCases, ...useCases };
  registerServiceCases<FileCatalog, FileCatalogFixture>(cases, options);
}
