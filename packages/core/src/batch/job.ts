import type { Diagnostic, QuireError } from "../errors.ts";
import type { ConverterFingerprint } from "../ports/converter.ts";
import type { FileInfo, FileRef } from "../ports/storage.ts";

/** What comes out of a batch. */
export type OutputType = "docx" | "pdf";

/**
 * The state of a job, in the wire's own words. A job ends as `completed`, as `completed_with_error`
 * (there is a document, with unresolved tags) or as `failed` (there is none), and never leaves that.
 */
export type JobStatus = "submitted" | "pending" | "completed" | "completed_with_error" | "failed";

/** One document of a batch. */
export interface Job {
  readonly id: string;
  readonly batchId: string;
  /** The number of its entry within the batch, from 1. */
  readonly entry: number;
  /** The name that was asked for; null when the entry had none that could be read. */
  readonly requestedName: string | null;
  readonly status: JobStatus;
  readonly outputType: OutputType;
  /** The template and the version that was pinned when the batch was accepted. */
  readonly template: FileRef & { readonly version: string };
  /** The document; null until it is there, and for a failed job. */
  readonly outputFile: FileInfo | null;
  /** Pages of the PDF; null for a `.docx`, whose pages only a layout knows. */
  readonly pages: number | null;
  /** What the PDF was made with; null for a `.docx`, and until it is there. */
  readonly converter: ConverterFingerprint | null;
  /** What ended the job, with its cause; null unless it is `failed`. */
  readonly failure: QuireError | null;
  /** Why the job failed, or which tags of its document are unresolved. */
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

/** How many jobs of a batch are in each state. They add up to the jobs that are known so far. */
export type JobCounts = Readonly<Record<JobStatus, number>>;

/** A batch and how far it is. */
export interface Batch {
  readonly id: string;
  readonly status: "running" | "finished";
  readonly counts: JobCounts;
  /**
   * Why not all entries of a streamed batch were read: its source broke, or the batch was aborted. Null
   * when all were. The jobs of the entries before are not touched by it.
   */
  readonly failure: QuireError | null;
}
