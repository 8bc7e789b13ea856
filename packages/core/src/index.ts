export type { Batch, Job, JobCounts, JobStatus, OutputType } from "./batch/job.ts";
export { parseFileName } from "./batch/output-names.ts";
export { parseBatchRequest } from "./batch/parse-request.ts";
export type { PdfRequestOptions } from "./batch/pdf-request.ts";
export type {
  BatchRequest,
  ConflictPolicy,
  GenerationEntry,
  StreamedBatchRequest,
} from "./batch/request.ts";
export type { CompileOptions, Compression, RenderOptions } from "./docx/compile-options.ts";
export { compileTemplate, type RenderResult, type Template } from "./docx/compile-template.ts";
export { compileText, type TextTemplate } from "./docx/compile-text.ts";
export { type AnnotateOptions, annotateTemplate } from "./docx/inspect/annotate.ts";
export { placeInWords } from "./docx/inspect/annotate-words.ts";
export type { JsonSchema } from "./docx/inspect/schema.ts";
export type { TemplateTag } from "./docx/inspect/tags.ts";
export { type Docx, type OpenDocxOptions, openDocx } from "./docx/package/docx.ts";
export type { PackageLimits } from "./docx/package/limits.ts";
export type { MissingPolicy } from "./docx/program/findings.ts";
export type { RenderData } from "./docx/program/scope.ts";
export type { Delimiters } from "./docx/template/delimiters.ts";
export {
  type PreparedImages,
  type PrepareOptions,
  prepareImages,
} from "./docx/values/image/prepare-images.ts";
export {
  type CloseOptions,
  type CreateBatchOptions,
  createEngine,
  type Engine,
  type EngineOptions,
} from "./engine.ts";
export {
  abortedError,
  type Diagnostic,
  ERROR_CODES,
  type ErrorCode,
  isQuireError,
  QuireError,
  type QuireErrorOptions,
  type TemplatePlace,
  throwIfAborted,
} from "./errors.ts";
export { type MemoryStorageSeed, memoryStorage } from "./memory/storage.ts";
export { findText, type TextPlace } from "./pdf/find-text.ts";
export { compilePdfForm } from "./pdf/form-template.ts";
export { isPdf } from "./pdf/is-pdf.ts";
export { withMetadata } from "./pdf/metadata.ts";
export { createPacket } from "./pdf/packet.ts";
export type {
  Packet,
  PacketEntry,
  PacketOptions,
  PacketPages,
  PacketSummary,
} from "./pdf/packet-types.ts";
export type { PageStamp, StampPlace } from "./pdf/page-stamp.ts";
export type { PdfForm, PdfFormResult } from "./pdf/pdf-form.ts";
export { stampPages } from "./pdf/stamp.ts";
export type {
  ConvertedDocument,
  Converter,
  ConverterFingerprint,
  ConvertOptions,
  PdfInitialView,
  PdfMetadata,
  PdfOptions,
  PdfPermissions,
} from "./ports/converter.ts";
export type {
  FileInfo,
  FileRef,
  FolderEntry,
  FolderPage,
  FolderRef,
  ListOptions,
  ReadOptions,
  Storage,
  StorageOptions,
  StoredFile,
} from "./ports/storage.ts";
export { renderInProcess } from "./renderer/in-process.ts";
export { renderPool } from "./renderer/pool.ts";
export type { RenderPoolOptions } from "./renderer/pool-options.ts";
export type {
  DocumentOptions,
  OpenTemplate,
  RenderedDocument,
  Renderer,
} from "./renderer/renderer.ts";
