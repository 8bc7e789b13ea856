import type { FileCatalog } from "@quire/contracts";
import { registerServiceCases, type ServiceStoreConformanceOptions } from "../service-fixture.ts";
import { addCases } from "./add.ts";
import { changeCases } from "./change.ts";
import type { FileCatalogFixture } from "./fixture.ts";
import { listCases } from "./list.ts";
import { sweepCases } from "./sweep.ts";
import { useCases } from "./use.ts";

/** Tests the contract of `FileCatalog`, for any implementation and any runner. */
export function fileCatalogConformance(
  options: ServiceStoreConformanceOptions<FileCatalogFixture>,
): void {
  const cases = { ...addCases, ...listCases, ...changeCases, ...sweepCases, ...useCases };
  registerServiceCases<FileCatalog, FileCatalogFixture>(cases, options);
}
