/**
 * The part of `@quire/core` for servers, without the code that parses documents: the engine, the ports, the memory
 * stores. The processes of `renderPool()` read templates, PDFs and pictures; no export here imports a parser for them.
 * `@quire/core` exports all of this, too.
 */
import "./check-node.ts";

export { hasBackslashKey } from "./backslash-key.ts";
export { losesDigits } from "./batch/exact-numbers.ts";
export type { Batch, EngineEvent, Job } from "./batch/job.ts";
export { toFailure } from "./batch/job-failure.ts";
export {
  CANCELLED,
  jobStoreProblems,
  POISON,
  POISON_DEATHS,
  SUSPECT_DEATHS,
} from "./batch/job-store-problems.ts";
export { foldName, parseFileName, withExtension } from "./batch/output-names.ts";
export { assertLimit, type PagePlace, parseMarker, toMarker } from "./batch/page-marker.ts";
export { pageRoom } from "./batch/page-room.ts";
export { parseBatchRequest } from "./batch/parse-request.ts";
export type { PdfRequestOptions } from "./batch/pdf-request.ts";
export type {
  BatchRequest,
  GenerationEntry,
  StreamedBatchRequest,
} from "./batch/request.ts";
export { type ConflictPolicy, nameReserver, type ReserveName } from "./batch/reserve-name.ts";
export { serviceStoreProblems } from "./batch/service-store-problems.ts";
export { boundedDiagnostics } from "./bounded-diagnostics.ts";
export { cutPointer, cutSentence, cutText } from "./cut-text.ts";
export type { CompileOptions, Compression, RenderOptions } from "./docx/compile-options.ts";
export { placeInWords } from "./docx/inspect/annotate-words.ts";
export type { JsonSchema } from "./docx/inspect/schema.ts";
export type { TemplateTag } from "./docx/inspect/tags.ts";
export type { PackageLimits } from "./docx/package/limits.ts";
export type { MissingPolicy } from "./docx/program/document-diagnostics.ts";
export type { RenderData } from "./docx/program/scope.ts";
export type { Delimiters } from "./docx/template/delimiters.ts";
export { duplicateKey } from "./duplicate-key.ts";
export { createEngine } from "./engine.ts";
export type {
  BatchCheck,
  CheckBatchOptions,
  CloseOptions,
  CreateBatchOptions,
  Engine,
  EngineOptions,
  EntryCheck,
  InspectTemplateOptions,
  ListBatchesOptions,
  ListJobsOptions,
  Page,
  TemplateInspection,
} from "./engine-types.ts";
export {
  abortedError,
  type Diagnostic,
  ERROR_CODES,
  type ErrorCode,
  isQuireError,
  messageWithPlace,
  placesInData,
  QuireError,
  type QuireErrorOptions,
  type TemplatePlace,
  throwIfAborted,
} from "./errors.ts";
export { type MemoryFileCatalogOptions, memoryFileCatalog } from "./memory/file-catalog.ts";
export { type MemoryJobStoreOptions, memoryJobStore } from "./memory/job-store.ts";
export { type MemoryStorageSeed, memoryStorage } from "./memory/storage.ts";
export { memoryTemplateStore } from "./memory/template-store.ts";
export { memoryTokenStore } from "./memory/token-store.ts";
export { type MemoryWebhookStoreOptions, memoryWebhookStore } from "./memory/webhook-store.ts";
export type { TextPlace } from "./pdf/find-text.ts";
export { isPdf } from "./pdf/is-pdf.ts";
export type { PageStamp, StampPlace } from "./pdf/page-stamp.ts";
export type {
  ConvertedDocument,
  Converter,
  ConverterFingerprint,
  ConverterSeal,
  ConvertOptions,
  PdfInitialView,
  PdfMetadata,
  PdfOptions,
  PdfPermissions,
} from "./ports/converter.ts";
export type {
  CatalogChangeOptions,
  CatalogEntry,
  CatalogFile,
  CatalogFileState,
  CatalogFolder,
  CatalogKey,
  CatalogPage,
  CatalogQuery,
  CatalogRemoveOptions,
  CatalogUse,
  CatalogVersion,
  FileCatalog,
  Leftover,
  NewCatalogEntry,
  NewCatalogVersion,
} from "./ports/file-catalog.ts";
export type { JobGauge, QueueDepth } from "./ports/job-gauge.ts";
export type {
  BatchRecord,
  JobCounts,
  JobFailure,
  JobInput,
  JobRecord,
  JobResult,
  JobStatus,
  NewBatch,
  NewJob,
  OutputNote,
  OutputType,
  StoredEvent,
} from "./ports/job-records.ts";
export type {
  AcceptedBatch,
  BatchQuery,
  JobQuery,
  JobStore,
  JobWithInput,
  NewBatchOptions,
  RecordPage,
} from "./ports/job-store.ts";
export type {
  Claim,
  Claimed,
  ClaimOptions,
  JobWorker,
  JobWorkerOptions,
  Outcome,
} from "./ports/job-worker.ts";
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
export type { TemplateQuery, TemplateRecord, TemplateStore } from "./ports/template-store.ts";
export type { AuditLine, TenantRecord, TenantStore } from "./ports/tenant-store.ts";
export type { TokenRecord, TokenStore } from "./ports/token-store.ts";
export type {
  Delivery,
  DeliveryOutcome,
  NewDelivery,
  WebhookQuery,
  WebhookRecord,
  WebhookStore,
  WebhookUse,
} from "./ports/webhook-store.ts";
export { isByteStream, type PieceOptions, readPieces, unlessAborted } from "./read-pieces.ts";
export { lowerPriority } from "./renderer/lower-priority.ts";
export { renderPool } from "./renderer/pool.ts";
export type { RenderPoolOptions } from "./renderer/pool-options.ts";
export type {
  DocumentCheck,
  DocumentOptions,
  OpenOptions,
  OpenPdf,
  OpenTemplate,
  PdfReader,
  RenderedDocument,
  Renderer,
  TemplateFacts,
} from "./renderer/renderer.ts";
export { FairLine, type FairLineOptions, type Sharer } from "./sharing/fair-line.ts";
export { createTurns, type Turns } from "./turns.ts";
export type { JobStep, StepObserver } from "./work/observe-step.ts";
