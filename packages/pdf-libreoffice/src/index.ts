// Imported first, because it reports a Node version that is too old.
import "@quire/contracts";

export { libreOffice } from "./converter.ts";
export { type Diagnosis, diagnose } from "./diagnosis.ts";
export { type FontSet, type ListFontsOptions, listFonts } from "./fonts/font-set.ts";
export { METRIC_COMPATIBLE_FONTS, type MetricCompatibleFont } from "./fonts/metric-compatible.ts";
export { type NetworkIsolation, networkIsolation } from "./office/launch.ts";
export {
  type FindSofficeOptions,
  findSoffice,
  INSTALL_HINT,
  type SofficeVersionOptions,
  sofficeVersion,
  TESTED_RELEASES,
} from "./office/soffice.ts";
export type { LaneReplacement, LibreOfficeOptions } from "./options.ts";
export { findWasmPackage } from "./wasm/package.ts";
