import {
  type BatchRecord,
  type ConverterFingerprint,
  type Diagnostic,
  type FileInfo,
  type FileRef,
  type FolderRef,
  fromFailure,
  type JobCounts,
  type JobRecord,
  type JobStatus,
  type OutputType,
  type QuireError,
  type TakenEvent,
} from "@quire/contracts";

/** One document of a batch. */
export interface Job {
  /** The batch's id and the number of the entry: `<batch>-<entry>`. */
  readonly id: string;
  /** The id of its batch. */
  readonly batchId: string;
  /** The number of its entry within the batch, from 1. */
  readonly entry: number;
  /** The requested name; null if the entry has no readable name. */
  readonly requestedName: string | null;
  /**
   * `submitted` while it waits, `pending` while its document is being created. Only `Engine.retryFailed` changes the
   * other states.
   */
  readonly status: JobStatus;
  /** The type of its document, as for the whole batch. */
  readonly outputType: OutputType;
  /** The template and the version that was pinned when the batch was accepted. */
  readonly template: FileRef & {
    /** As in `FileInfo.version`. */
    readonly version: string;
  };
  /** The document; null until it exists, and for a failed job. */
  readonly outputFile: FileInfo | null;
  /** SHA-256 of the document, in lower-case hex; null until it exists. */
  readonly sha256: string | null;
  /** Pages of the PDF; null for a `.docx`, whose number of pages depends on the layout. */
  readonly pages: number | null;
  /** The program, fonts and options that made the PDF; null for a `.docx`, and until the PDF exists. */
  readonly converter: ConverterFingerprint | null;
  /** Why the job failed, with its cause; null unless it is `failed`. */
  readonly failure: QuireError | null;
  /** Why the job failed, or which tags of its document are unresolved. */
  readonly errors: readonly Diagnostic[];
  /** Possible mistakes in the template or the data, and differences from Word in the PDF. */
  readonly warnings: readonly Diagnostic[];
  /** How often the job was started: more than once after a temporary failure, or if its process died. */
  readonly attempts: number;
  /** Null until the job has ended. */
  readonly endedAt: Date | null;
}

/** A batch and its progress. */
export interface Batch {
  /** Created by `EngineOptions.newId`. */
  readonly id: string;
  /** `finished` when each of its jobs has ended. */
  readonly status: "running" | "finished";
  /** The number of its jobs in each state. */
  readonly counts: JobCounts;
  /** Whether the batch was cancelled; jobs that had not started by then have failed with `aborted`. */
  readonly cancelled: boolean;
  /** The tenant that owns the batch; `""` without tenants. */
  readonly tenant: string;
  /** Who submitted it; null if unknown. */
  readonly caller: string | null;
  /** The template and the version that was pinned when the batch was accepted. */
  readonly template: FileRef & {
    /** As in `FileInfo.version`. */
    readonly version: string;
  };
  /** The folder for its documents. */
  readonly folder: FolderRef;
  /** The type of all its documents. */
  readonly outputType: OutputType;
  /** When it was accepted, by the wall clock. */
  readonly createdAt: Date;
  /** Null until the batch is finished. */
  readonly finishedAt: Date | null;
}

/** An event, delivered at least once and after its effects are durable. */
export type EngineEvent =
  | {
      /** A batch finishes again after a retry of its failed jobs. */
      readonly type: "batch_accepted" | "batch_finished";
      /** Grows from event to event; the same if an event is delivered again. */
      readonly sequence: number;
      /** When it happened, by the wall clock. */
      readonly at: Date;
      /** The state of the batch when the event was read. */
      readonly batch: Batch;
    }
  | {
      /** `job_started` for each attempt; `job_succeeded` includes documents with unresolved tags. */
      readonly type: "job_started" | "job_succeeded" | "job_failed";
      /** Grows from event to event; the same if an event is delivered again. */
      readonly sequence: number;
      /** When it happened, by the wall clock. */
      readonly at: Date;
      /** The state of the job when the event was read, which may be later than the event. */
      readonly job: Job;
      /** The state of its batch when the event was read. */
      readonly batch: Batch;
    };

export function toBatch(record: BatchRecord): Batch {
  const { id, status, counts, cancelled, tenant, caller, template, folder, outputType } = record;
  return {
    id,
    status,
    counts,
    cancelled,
    tenant,
    caller,
    template,
    folder,
    outputType,
    createdAt: new Date(record.createdAt),
    finishedAt: record.finishedAt === null ? null : new Date(record.finishedAt),
  };
}

export function toJob(record: JobRecord, { template, outputType }: BatchRecord): Job {
  const { batchId, entry, result } = record;
  const failure = record.failure === null ? null : fromFailure(record.failure);
  return {
    id: jobId(batchId, entry),
    batchId,
    entry,
    requestedName: record.requestedName,
    status: record.status,
    outputType,
    template,
    outputFile: result?.outputFile ?? null,
    sha256: result?.sha256 ?? null,
    pages: result?.pages ?? null,
    converter: result?.converter ?? null,
    failure,
    errors: failure === null ? (result?.errors ?? []) : errorsOf(failure),
    warnings: result?.warnings ?? [],
    attempts: record.attempts,
    endedAt: record.endedAt === null ? null : new Date(record.endedAt),
  };
}

/** The event as callers see it; null if its job does not exist. */
export function toEvent({ type, sequence, at: time, batch, job }: TakenEvent): EngineEvent | null {
  const at = new Date(time);
  if (type === "batch_accepted" || type === "batch_finished") {
    return { type, sequence, at, batch: toBatch(batch) };
  }
  return job && { type, sequence, at, job: toJob(job, batch), batch: toBatch(batch) };
}

/** Returns the errors of a failed job. */
export function errorsOf({ code, message, diagnostics }: QuireError): readonly Diagnostic[] {
  return diagnostics.length > 0 ? diagnostics : [{ severity: "error", code, message }];
}

/** Returns the id of a job; {@link parseJobId} is the inverse. */
export function jobId(batchId: string, entry: number): string {
  return `${batchId}-${entry}`;
}

/** Returns the batch and the entry of a job id; null if the id is not valid. */
export function parseJobId(id: string): { batchId: string; entry: number } | null {
  const [, batchId, entry] = /^(.+)-([1-9]\d{0,9})$/.exec(id) ?? [];
  return batchId === undefined ? null : { batchId, entry: Number(entry) };
}
