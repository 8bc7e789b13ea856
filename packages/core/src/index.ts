import "./check-node.ts";

export { compileTemplate, type RenderResult, type Template } from "./docx/compile-template.ts";
export { compileText, type TextTemplate } from "./docx/compile-text.ts";
export { type AnnotateOptions, annotateTemplate } from "./docx/inspect/annotate.ts";
export type { PlaceUse } from "./docx/inspect/place-use.ts";
export { decodeWindows1252 } from "./docx/package/decode.ts";
export { type Docx, type OpenDocxOptions, openDocx } from "./docx/package/docx.ts";
export type { DocumentLimits } from "./docx/program/budget.ts";
export type { RichTextPolicy } from "./docx/program/print-tag.ts";
export {
  type PreparedImages,
  type PrepareOptions,
  prepareImages,
} from "./docx/values/image/prepare-images.ts";
// biome-ignore lint/performance/noReExportAll: complete, so that the two entry points cannot differ.
export * from "./host.ts";
export { memoryTenantStore } from "./memory/tenant-store.ts";
export { findText } from "./pdf/find-text.ts";
export { compilePdfForm } from "./pdf/form-template.ts";
export { withMetadata } from "./pdf/metadata.ts";
export { createPacket } from "./pdf/packet.ts";
export type {
  Packet,
  PacketEntry,
  PacketOptions,
  PacketPages,
  PacketSummary,
} from "./pdf/packet-types.ts";
export type { PdfForm, PdfFormResult } from "./pdf/pdf-form.ts";
export { stampPages } from "./pdf/stamp.ts";
export type { JobUse } from "./ports/job-gauge.ts";
export { renderInProcess } from "./renderer/in-process.ts";
