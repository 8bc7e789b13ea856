import type { Diagnostic, ErrorCode } from "../errors.ts";
import type { ConverterFingerprint } from "./converter.ts";
import type { FileInfo, FileRef, FolderRef } from "./storage.ts";

/** The type of the documents of a batch. */
export type OutputType = "docx" | "pdf";

/**
 * The state of a job, as in the HTTP API. A job ends as `completed`, as `completed_with_error` (there is a document,
 * with unresolved tags) or as `failed` (there is no document). A final state changes only if the batch's failed
 * jobs are retried.
 */
export type JobStatus = "submitted" | "pending" | "completed" | "completed_with_error" | "failed";

/** The number of jobs of a batch in each state. The sum is the number of all jobs. */
export type JobCounts = Readonly<Record<JobStatus, number>>;

/** The data of a job, as accepted. */
export interface JobInput {
  /** JSON in UTF-8, or the output of V8's serializer for values that JSON would change (dates, `undefined`). */
  readonly encoding: "json" | "structured";
  /** The entry's data in this encoding. Readers must not change it. */
  readonly bytes: Uint8Array;
  /** The locale (language and region) of this document; null if it uses the batch's locale. */
  readonly locale: string | null;
  /** An IANA time zone, for example `Europe/Berlin`; null if it uses the batch's time zone. */
  readonly timeZone: string | null;
}

/** The result of a job that has produced a document. */
export interface JobResult {
  /** `completed_with_error`: the document has unresolved tags, which are listed in `errors`. */
  readonly status: "completed" | "completed_with_error";
  /** The document in the storage, under its final name. */
  readonly outputFile: FileInfo;
  /** SHA-256 of the document, in lower-case hex. */
  readonly sha256: string;
  /** Pages of the PDF; null for a `.docx`. */
  readonly pages: number | null;
  /**
   * The program, fonts and options that made the PDF; null for a document that was not converted: a `.docx` or a filled
   * PDF form.
   */
  readonly converter: ConverterFingerprint | null;
  /** The unresolved tags of a `completed_with_error` document; empty for `completed`. */
  readonly errors: readonly Diagnostic[];
  /** Warnings of rendering and conversion. Together with `errors`, they take at most 64 KiB of JSON. */
  readonly warnings: readonly Diagnostic[];
}

/** The stored form of an error. */
export interface JobFailure {
  /** The code of the error, for programs. */
  readonly code: ErrorCode;
  /** The message of the error: one or more sentences, which do not quote values from the data. */
  readonly message: string;
  /** The problems found, at most 64 KiB of JSON. If there are more, `more_problems` counts the others. */
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the same job may succeed later without a change. */
  readonly retryable: boolean;
  /** The underlying error as text, or null. */
  readonly cause: string | null;
}

/**
 * A document that is about to be created. If the worker dies now, a later attempt recognizes the document by this note.
 */
export type OutputNote = Omit<JobResult, "outputFile"> & {
  /** The name under which the document is about to be created, in the batch's folder. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
};

/** A batch to accept. */
export interface NewBatch {
  /** Unique over all tenants. The caller chooses it. */
  readonly id: string;
  /** The tenant that owns the batch. Tenants share the workers fairly. `""` if there is only one tenant. */
  readonly tenant: string;
  /** The share of the tenant: a tenant of weight 2 gets twice as much as a tenant of weight 1. */
  readonly weight: number;
  /** Who submitted it; null if unknown. */
  readonly caller: string | null;
  /** The caller's unique name for the request, or null. */
  readonly idempotencyKey: string | null;
  /** The template, and the version that `templateBytes` contains. */
  readonly template: FileRef & {
    /** As in `FileInfo.version`. */
    readonly version: string;
  };
  /** The template for all documents of the batch, kept until the batch ends: the file in the storage may change. */
  readonly templateBytes: Uint8Array;
  /** The folder for its documents. */
  readonly folder: FolderRef;
  /** The type of all its documents. */
  readonly outputType: OutputType;
  /** Whether its jobs need a converter: see `JobWorkerOptions.takes`. */
  readonly needsConverter: boolean;
  /** `rename`: a job whose name is taken gets `name (1).pdf`; `fail`: the job fails. */
  readonly onConflict: "rename" | "fail";
  /** Whether its events are kept for {@link JobWorker.takeEvents}. */
  readonly withEvents: boolean;
  /** The request without its entries, as JSON. */
  readonly settings: string;
  /** The `traceparent` (W3C Trace Context) of the request, for tracing its jobs, or null. */
  readonly trace: string | null;
}

/** One entry of a batch to accept. `createBatch` receives the entries in the order of the request. */
export interface NewJob {
  /** The requested name; null if the entry has no readable name. */
  readonly requestedName: string | null;
  /**
   * The file name to reserve: `requestedName`, which is valid in this case, with its extension; null for a job that has
   * already failed.
   */
  readonly fileName: string | null;
  /** The data of the entry; null for a job that has already failed. */
  readonly input: JobInput | null;
  /** Why the job failed before it began; null otherwise. */
  readonly failure: JobFailure | null;
  /**
   * The result that an earlier batch has for this entry: the job is accepted as ended, and its document is not made
   * again. The job gets the name of that document, even though a file in the folder has this name. Default: null, the
   * job must run.
   */
  readonly result?: JobResult | null;
}

/** The stored record of a batch. */
export interface BatchRecord
  extends Omit<NewBatch, "templateBytes" | "needsConverter" | "withEvents"> {
  /** `finished` when every job has ended. */
  readonly status: "running" | "finished";
  /** Whether `cancelBatch` ended the batch early. A retry of its failed jobs resets this to false. */
  readonly cancelled: boolean;
  /** The current number of its jobs in each state. */
  readonly counts: JobCounts;
  /** Milliseconds since 1970, by the wall clock. */
  readonly createdAt: number;
  /** Milliseconds since 1970, by the wall clock; null until the batch is finished. */
  readonly finishedAt: number | null;
}

/** The stored record of a job. */
export interface JobRecord {
  /** The id of its batch, as in `NewBatch.id`. */
  readonly batchId: string;
  /** The number of its entry within the batch, from 1. */
  readonly entry: number;
  /** `submitted` while it waits, `pending` while a worker has it. Only `retryFailed` changes the other states. */
  readonly status: JobStatus;
  /** The name that the entry requests; null if the entry has no readable name. */
  readonly requestedName: string | null;
  /** The name reserved for its document, or null, for example for an invalid entry. */
  readonly fileName: string | null;
  /** Number of times that the job was started. */
  readonly attempts: number;
  /** Null until the job ends, and for a failed job. */
  readonly result: JobResult | null;
  /** Why the job failed; null unless it is `failed`. */
  readonly failure: JobFailure | null;
  /** Milliseconds since 1970, by the wall clock; null until it has ended. */
  readonly endedAt: number | null;
}

/** An event of a batch, kept until it is delivered. */
export interface StoredEvent {
  /** Unique in the store. Grows with each event of a batch. */
  readonly sequence: number;
  /** The kind of event. `job_succeeded` includes documents with unresolved tags. */
  readonly type:
    | "batch_accepted"
    | "job_started"
    | "job_succeeded"
    | "job_failed"
    | "batch_finished";
  /** The batch that the event is about. */
  readonly batchId: string;
  /** Null for an event of the batch itself. */
  readonly entry: number | null;
  /** Milliseconds since 1970, by the wall clock. */
  readonly at: number;
}

/** An event that a worker has taken, to deliver it. */
export interface TakenEvent extends StoredEvent {
  /** The batch when the event was taken. */
  readonly batch: BatchRecord;
  /** The job when the event was taken; null for an event of the batch itself. */
  readonly job: JobRecord | null;
}
