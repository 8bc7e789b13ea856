// Imported first: it reports a Node version that is too old.
import "./check-node.ts";

export {
  boundedDiagnostics,
  diagnosticBytes,
  MAX_DIAGNOSTIC_BYTES,
} from "./bounded-diagnostics.ts";
export { cutPointer, cutSentence, cutText } from "./cut-text.ts";
export { unreadable } from "./data/caller-data.ts";
export { duplicateKey } from "./data/duplicate-key.ts";
export { losesDigits } from "./data/exact-numbers.ts";
export { pointerOf, pointerPath, pointerStep } from "./data/json-pointer.ts";
export {
  abortedError,
  cutDiagnostic,
  cutPlace,
  type Diagnostic,
  ERROR_CODES,
  type ErrorCode,
  isQuireError,
  listed,
  messageWithPlace,
  placesInData,
  QuireError,
  type QuireErrorOptions,
  type TemplatePlace,
  throwIfAborted,
} from "./errors.ts";
export { lowerPriority, setLongWork } from "./lower-priority.ts";
export { takenNames, type WantedNames } from "./names/folder-names.ts";
export {
  fileNameProblem,
  foldName,
  parseFileName,
  renamed,
  withExtension,
} from "./names/output-names.ts";
export { type ConflictPolicy, nameReserver, type ReserveName } from "./names/reserve-name.ts";
export { type NamesSource, type TakenIndex, takenIndex } from "./names/taken-index.ts";
export { nearest } from "./nearest.ts";
export { checkOptions, copyBytes, namesOf, type OptionNames } from "./options.ts";
export type {
  ConvertedDocument,
  Converter,
  ConverterFingerprint,
  ConverterJoining,
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
export type { JobGauge, JobUse, OldestWaiting, QueueDepth } from "./ports/job-gauge.ts";
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
  TakenEvent,
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
export type {
  MovedRow,
  MovedTable,
  MovedType,
  MovedValue,
  StoresSource,
} from "./ports/stores-source.ts";
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
export { isPreempted, preemptedError } from "./preemption.ts";
export { programUrl } from "./program-url.ts";
export { isByteStream, type PieceOptions, readPieces, unlessAborted } from "./read-pieces.ts";
export { FairLine, type FairLineOptions, type Sharer } from "./sharing/fair-line.ts";
export { FairSemaphore, type Occupant } from "./sharing/fair-semaphore.ts";
export { chunkStarts, packChunk, unpackChunk } from "./stores/chunks.ts";
export { fromFailure, toFailure } from "./stores/job-failure.ts";
export {
  CANCELLED,
  deathsAfter,
  jobStoreProblems,
  MAX_EVENT_WAIT_MS,
  POISON,
  POISON_DEATHS,
  SUSPECT_DEATHS,
} from "./stores/job-store-problems.ts";
export { MOVED_TABLES } from "./stores/moved-tables.ts";
export { assertLimit, type PagePlace, parseMarker, toMarker } from "./stores/page-marker.ts";
export { pageRoom } from "./stores/page-room.ts";
export { serviceStoreProblems } from "./stores/service-store-problems.ts";
export { type Slice, slicesOf } from "./stores/slices.ts";
export { untilAborted } from "./stores/until-aborted.ts";
export { WorkWatch } from "./stores/work-watch.ts";
export { createTurns, type Turns } from "./turns.ts";
