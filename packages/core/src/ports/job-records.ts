import type { Diagnostic, ErrorCode } from "../errors.ts";
import type { ConverterFingerprint } from "./converter.ts";
import type { FileInfo, FileRef, FolderRef } from "./storage.ts";

/** What comes out of a batch. */
export type OutputType = "docx" | "pdf";

/**
 * The state of a job, in the wire's own words. A job ends as `completed`, as `completed_with_error`
 * (there is a document, with unresolved tags) or as `failed` (there is none), and leaves that only when
 * its batch's failed jobs are tried again.
 */
export type JobStatus = "submitted" | "pending" | "completed" | "completed_with_error" | "failed";

/** How many jobs of a batch are in each state. They add up to all of them. */
export type JobCounts = Readonly<Record<JobStatus, number>>;

/** The data of a job as it was accepted. */
export interface JobInput {
  /** As JSON in UTF-8, or as V8 serializes what JSON would change (dates, `undefined`). */
  readonly encoding: "json" | "structured";
  readonly bytes: Uint8Array;
  /** The language and region, and the time zone, of this document; null for the batch's. */
  readonly locale: string | null;
  readonly timeZone: string | null;
}

/** What a job came to, if it is a document. */
export interface JobResult {
  readonly status: "completed" | "completed_with_error";
  readonly outputFile: FileInfo;
  /** SHA-256 of the document, in lower-case hex. */
  readonly sha256: string;
  /** Pages of the PDF; null for a `.docx`. */
  readonly pages: number | null;
  readonly converter: ConverterFingerprint | null;
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

/** What is kept of an error. */
export interface JobFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly retryable: boolean;
  /** What was thrown below, in words; null when nothing was. */
  readonly cause: string | null;
}

/** A document that is about to be created: what a later attempt knows it by, should its worker die now. */
export type OutputNote = Omit<JobResult, "outputFile"> & {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
};

/** A batch that is to be accepted. */
export interface NewBatch {
  readonly id: string;
  /** Whose batch it is: tenants share the workers fairly. `""` where there is only one. */
  readonly tenant: string;
  /** The share of the tenant: one of weight 2 gets twice as much as one of weight 1. */
  readonly weight: number;
  /** Who submitted it; null when that was not told. */
  readonly caller: string | null;
  /** The caller's own name for the request; null when there is none. */
  readonly idempotencyKey: string | null;
  readonly template: FileRef & { readonly version: string };
  /** What the batch is made with, kept until it has ended: a file of its storage may change meanwhile. */
  readonly templateBytes: Uint8Array;
  readonly folder: FolderRef;
  readonly outputType: OutputType;
  /** Only a worker that can convert is given its jobs. */
  readonly needsConverter: boolean;
  /** `rename`: a job whose name is taken gets `name (1).pdf`; `fail`: it fails. */
  readonly onConflict: "rename" | "fail";
  /** Whether events of it are kept for {@link JobWorker.takeEvents}. */
  readonly withEvents: boolean;
  /** The request without its entries, as JSON. */
  readonly settings: string;
  /** What submitted it, as a `traceparent` of W3C Trace Context, for whoever follows its jobs; null when nobody does. */
  readonly trace: string | null;
}

/** One entry of a batch that is to be accepted, in their order. */
export interface NewJob {
  /** The name that was asked for; null when the entry had none that could be read. */
  readonly requestedName: string | null;
  /** The name of the file to reserve: `requestedName`, which is legal then, with its extension; null for a job that has failed. */
  readonly fileName: string | null;
  readonly input: JobInput | null;
  /** Why the job has failed before it began; null otherwise. */
  readonly failure: JobFailure | null;
}

/** What is kept of a batch. */
export interface BatchRecord
  extends Omit<NewBatch, "templateBytes" | "needsConverter" | "withEvents"> {
  /** `finished` when every job has ended. */
  readonly status: "running" | "finished";
  readonly cancelled: boolean;
  readonly counts: JobCounts;
  /** Milliseconds since 1970, by the wall clock. */
  readonly createdAt: number;
  /** Likewise; null until it is finished. */
  readonly finishedAt: number | null;
}

/** What is kept of a job. */
export interface JobRecord {
  readonly batchId: string;
  /** The number of its entry within the batch, from 1. */
  readonly entry: number;
  readonly status: JobStatus;
  readonly requestedName: string | null;
  /** The name that is reserved for its document; null when there is none, as for a bad entry. */
  readonly fileName: string | null;
  /** How often it was begun. */
  readonly attempts: number;
  /** Null until it has ended, and for a failed job. */
  readonly result: JobResult | null;
  /** What ended the job; null unless it is `failed`. */
  readonly failure: JobFailure | null;
  /** Milliseconds since 1970, by the wall clock; null until it has ended. */
  readonly endedAt: number | null;
}

/** Something that happened to a batch, kept until it was told. */
export interface StoredEvent {
  /** Grows with every event of the store. */
  readonly sequence: number;
  readonly type:
    | "batch_accepted"
    | "job_started"
    | "job_succeeded"
    | "job_failed"
    | "batch_finished";
  readonly batchId: string;
  /** Null for an event of the batch itself. */
  readonly entry: number | null;
  /** Milliseconds since 1970, by the wall clock. */
  readonly at: number;
}
