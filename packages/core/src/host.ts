/**
 * The part of `@quire/core` for servers, without the code that parses documents: the engine, the ports, the memory
 * stores. The processes of `renderPool()` read templates, PDFs and pictures; no export here imports a parser for them.
 * `@quire/core` also exports all of this.
 */
import "@quire/contracts";

export type {
  AcceptedBatch,
  AuditLine,
  BatchQuery,
  BatchRecord,
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
  Claim,
  Claimed,
  ClaimOptions,
  ConvertedDocument,
  Converter,
  ConverterFingerprint,
  ConverterJoining,
  ConverterSeal,
  ConvertOptions,
  Delivery,
  DeliveryOutcome,
  FileCatalog,
  FileInfo,
  FileRef,
  FolderEntry,
  FolderPage,
  FolderRef,
  JobCounts,
  JobFailure,
  JobGauge,
  JobInput,
  JobQuery,
  JobRecord,
  JobResult,
  JobStatus,
  JobStore,
  JobWithInput,
  JobWorker,
  JobWorkerOptions,
  Leftover,
  ListOptions,
  NewBatch,
  NewBatchOptions,
  NewCatalogEntry,
  NewCatalogVersion,
  NewDelivery,
  NewJob,
  OldestWaiting,
  Outcome,
  OutputNote,
  OutputType,
  PdfInitialView,
  PdfMetadata,
  PdfOptions,
  PdfPermissions,
  QueueDepth,
  ReadOptions,
  RecordPage,
  Storage,
  StorageOptions,
  StoredEvent,
  StoredFile,
  TakenEvent,
  TemplateQuery,
  TemplateRecord,
  TemplateStore,
  TenantRecord,
  TenantStore,
  TokenRecord,
  TokenStore,
  WebhookQuery,
  WebhookRecord,
  WebhookStore,
  WebhookUse,
} from "@quire/contracts";
export {
  abortedError,
  assertLimit,
  boundedDiagnostics,
  CANCELLED,
  type ConflictPolicy,
  checkOptions,
  createTurns,
  cutPointer,
  cutSentence,
  cutText,
  type Diagnostic,
  deathsAfter,
  duplicateKey,
  ERROR_CODES,
  type ErrorCode,
  FairLine,
  type FairLineOptions,
  foldName,
  isByteStream,
  isQuireError,
  jobStoreProblems,
  losesDigits,
  lowerPriority,
  MAX_EVENT_WAIT_MS,
  messageWithPlace,
  nameReserver,
  namesOf,
  nearest,
  type OptionNames,
  type PagePlace,
  type PieceOptions,
  POISON,
  POISON_DEATHS,
  pageRoom,
  parseFileName,
  parseMarker,
  placesInData,
  pointerOf,
  pointerPath,
  QuireError,
  type QuireErrorOptions,
  type ReserveName,
  readPieces,
  type Sharer,
  SUSPECT_DEATHS,
  serviceStoreProblems,
  type TemplatePlace,
  type Turns,
  throwIfAborted,
  toFailure,
  toMarker,
  unlessAborted,
  withExtension,
} from "@quire/contracts";
export { placeInWords } from "@quire/docx/internal/annotate/words";
export type {
  CompileOptions,
  Compression,
  RenderOptions,
} from "@quire/docx/internal/compile-options";
export type { JsonSchema } from "@quire/docx/internal/inspect/schema";
export type { TemplateTag } from "@quire/docx/internal/inspect/tags";
export type { Delimiters } from "@quire/docx/internal/language/delimiters/delimiters";
export type { MissingPolicy } from "@quire/docx/internal/render/evaluate/context/document-diagnostics";
export type { RenderData } from "@quire/docx/internal/render/evaluate/context/scope";
export type { PackageLimits } from "@quire/ooxml/internal/limits/limits";
export { isPdf } from "@quire/pdf/internal/read/is-pdf";
export type { TextPlace } from "@quire/pdf/internal/search/find-text";
export type { PageStamp, StampPlace } from "@quire/pdf/internal/stamp/page-stamp";
export { readFontFolder } from "@quire/render-pool/internal/drawing/read-font-folder";
export { renderPool } from "@quire/render-pool/internal/pool/pool";
export type { RenderPoolOptions } from "@quire/render-pool/internal/pool/pool-options";
export { parseExactly } from "@quire/render-pool/internal/protocol/exact-json";
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
} from "@quire/render-pool/internal/protocol/renderer";
export { compactEntry } from "./batch/compact-entry.ts";
export type { Batch, EngineEvent, Job } from "./batch/job.ts";
export { JsonError, type JsonLimits } from "./batch/json-bounds.ts";
export { duplicateKeyAt, type ParseOptions, parseJson } from "./batch/parse-json.ts";
export { parseBatchRequest } from "./batch/parse-request.ts";
export type { PdfRequestOptions } from "./batch/pdf-request.ts";
export type {
  BatchRequest,
  GenerationEntry,
  StreamedBatchRequest,
} from "./batch/request.ts";
export { createEngine } from "./engine/engine.ts";
export type {
  BatchCheck,
  BatchPart,
  BatchPause,
  CheckBatchOptions,
  CloseOptions,
  CreateBatchOptions,
  EarlierResult,
  Engine,
  EngineOptions,
  EntryCheck,
  InspectTemplateOptions,
  ListBatchesOptions,
  ListJobsOptions,
  Page,
  TemplateInspection,
} from "./engine/engine-types.ts";
export type { JobStep, StepObserver } from "./engine/observe-step.ts";
export type { StoreFailureHandler } from "./engine/store-watch.ts";
export { type MemoryFileCatalogOptions, memoryFileCatalog } from "./memory/file-catalog.ts";
export { type MemoryJobStoreOptions, memoryJobStore } from "./memory/job-store.ts";
export { type MemoryStorageSeed, memoryStorage } from "./memory/storage.ts";
export { memoryTemplateStore } from "./memory/template-store.ts";
export { memoryTokenStore } from "./memory/token-store.ts";
export { type MemoryWebhookStoreOptions, memoryWebhookStore } from "./memory/webhook-store.ts";
