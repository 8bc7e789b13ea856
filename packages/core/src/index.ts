import "@quire/contracts";

export type { JobUse } from "@quire/contracts";
export type { AnnotateOptions } from "@quire/docx/internal/annotate/annotate";
export {
  type Condition,
  type ConditionResult,
  compileCondition,
} from "@quire/docx/internal/compile-condition";
export type { RenderResult, Template } from "@quire/docx/internal/compile-template";
export { compileText, type TextTemplate } from "@quire/docx/internal/compile-text";
export type { PlaceUse } from "@quire/docx/internal/inspect/place-use";
export type { RichTextPolicy } from "@quire/docx/internal/render/evaluate/print-tag";
export type { DocumentLimits } from "@quire/docx/internal/values/budget";
export type {
  PreparedImages,
  PrepareOptions,
} from "@quire/docx/internal/values/image/prepare-images";
export type {
  Rasterize,
  RasterizeReply,
  RasterizeRequest,
  SvgRequest,
  WebpRequest,
} from "@quire/docx/internal/values/image/rasterize";
export { type Docx, type OpenDocxOptions, openDocx } from "@quire/ooxml/internal/docx";
export { decodeWindows1252 } from "@quire/ooxml/internal/xml/decode";
export { compilePdfForm } from "@quire/pdf/internal/form/form-template";
export type { PdfForm, PdfFormResult } from "@quire/pdf/internal/form/pdf-form";
export { withMetadata } from "@quire/pdf/internal/metadata/metadata";
export { createPacket } from "@quire/pdf/internal/packet/packet";
export type {
  Packet,
  PacketEntry,
  PacketOptions,
  PacketPages,
  PacketSummary,
} from "@quire/pdf/internal/packet/packet-types";
export { findText } from "@quire/pdf/internal/search/find-text";
export { stampPages } from "@quire/pdf/internal/stamp/stamp";
export {
  type RenderInProcessOptions,
  renderInProcess,
} from "@quire/render-pool/internal/in-process";
// biome-ignore lint/performance/noReExportAll: complete, so that the two entry points cannot differ.
export * from "./host.ts";
export { memoryTenantStore } from "./memory/tenant-store.ts";
export { annotateTemplate, compileTemplate, prepareImages } from "./templates.ts";
