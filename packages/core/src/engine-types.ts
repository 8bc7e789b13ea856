import type { Batch, EngineEvent, Job } from "./batch/job.ts";
import type { BatchRequest, StreamedBatchRequest } from "./batch/request.ts";
import type { CompileOptions } from "./docx/compile-options.ts";
import type { JsonSchema } from "./docx/inspect/schema.ts";
import type { TemplateTag } from "./docx/inspect/tags.ts";
import type { Diagnostic, QuireError } from "./errors.ts";
import type { Converter } from "./ports/converter.ts";
import type { QueueDepth } from "./ports/job-gauge.ts";
import type { JobStatus } from "./ports/job-records.ts";
import type { JobStore } from "./ports/job-store.ts";
import type { FileInfo, FileRef, Storage } from "./ports/storage.ts";
import type { Renderer } from "./renderer/renderer.ts";
import type { StepObserver } from "./work/observe-step.ts";

/** What `createEngine` is made from. */
export interface EngineOptions {
  /**
   * Where templates are read and documents are written. A function gives each tenant's view of it: all that is done
   * for a batch goes through the one of its tenant, so that neither its template nor its data can name what that
   * does not show. It is asked often, and gives the same view at any time and in every engine over the job store.
   * Names are reserved by the folder's id alone: folders of two tenants have different ids.
   */
  readonly storage: Storage | ((tenant: string) => Storage);
  /** Needed for `output_type: "pdf"`, but for PDF forms. The engine closes it. Default: none. */
  readonly converter?: Converter;
  /**
   * Where batches and jobs are kept until they are done, and for some time after. The engine closes it.
   * Engines over one job store have the same storage, and share the work. Default: `memoryJobStore()`,
   * which is lost with the process.
   */
  readonly jobs?: JobStore;
  /**
   * Where documents are rendered. Default: `renderPool()`, child processes that contain whatever untrusted
   * templates and data do; `renderInProcess()` is for what is trusted. The engine closes it.
   */
  readonly renderer?: Renderer;
  /**
   * How many documents of one batch are in work at the same time: a whole number from 1. All batches of a tenant
   * together have at most about twice as many, all tenants together about four times as many, so that slow documents
   * of one tenant leave room for the others. Most of them wait for a renderer process, the converter or the storage.
   * Rendered documents that wait take at most about 64 MB for each tenant, and twice that for all. Default: 32 for each
   * core, at most 256.
   */
  readonly concurrency?: number;
  /**
   * Called with what happens to batches that an engine with this option has accepted, one event after the
   * other. Each is told at least once, also across a crash; when this rejects, again a while later, and the
   * others wait. `close` waits for it, over a durable job store no longer than `graceMs`: what was not taken
   * by then is told by the next engine. Default: nothing is told.
   */
  readonly onEvent?: (event: EngineEvent) => Promise<void> | void;
  /**
   * After so long a batch that has finished is forgotten, its data first; its documents stay. Null: never.
   * Default: 30 days; an hour when the job store is not durable.
   */
  readonly keepFinishedMs?: number | null;
  /**
   * When an engine stands still for so long, another one takes its jobs; of a dead one on the same machine
   * it takes them at once. Default 15,000.
   */
  readonly leaseMs?: number;
  /** Called around the steps of each job, to trace and measure them. Default: nothing is called. */
  readonly observe?: StepObserver;
  /** Gives the ids of batches. Default: random UUIDs. */
  readonly newId?: () => string;
}

/** Options of {@link Engine.createBatch}. */
export interface CreateBatchOptions {
  /** Gives the acceptance up: it rejects `aborted`, and nothing is accepted. Later, see `cancelBatch`. */
  readonly signal?: AbortSignal;
  /**
   * A name of the caller's for this request: however often it is submitted, also at the same time and after
   * a crash, there is one batch, which each call gives. Another request under the same key rejects `conflict`.
   * Keys are known within the tenant, for as long as the batch is.
   */
  readonly idempotencyKey?: string;
  /** Whose batch it is: tenants share the engine fairly. Default `""`. */
  readonly tenant?: string;
  /** The tenant's share: one of weight 2 gets twice as much as one of weight 1. Default 1. */
  readonly weight?: number;
  /** Who submits it, to find it by. Default: nobody. */
  readonly caller?: string;
  /**
   * What submits it, as a `traceparent` of W3C Trace Context: kept as it is, and told of its jobs to
   * {@link EngineOptions.observe}. The same request with another one is the same request. Default: nothing.
   */
  readonly trace?: string;
  /** Why new batches of the tenant are refused: the call rejects with this, unless the idempotency key is known. */
  readonly refusal?: QuireError;
}

/** Options of {@link Engine.inspectTemplate}. */
export interface InspectTemplateOptions extends Pick<CompileOptions, "delimiters"> {
  /** Whose template it is. Default `""`. */
  readonly tenant?: string;
  /** A version of the template. Default: the current one. */
  readonly version?: string;
  readonly signal?: AbortSignal;
}

/** A template, and what it asks for. */
export interface TemplateInspection {
  /** The version that was read. */
  readonly file: FileInfo;
  /** Every tag, in document order; none when the template is wrong. */
  readonly tags: readonly TemplateTag[];
  /** The JSON Schema (draft 2020-12) of the data that the template wants; `{}` when it is wrong. */
  readonly schema: JsonSchema;
  /** What is wrong with it. With any, nothing can be made from it. */
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

/** Options of {@link Engine.checkBatch}. */
export interface CheckBatchOptions {
  /** Whose batch it would be. Default `""`. */
  readonly tenant?: string;
  /**
   * The most bytes of JSON for the problems of all entries. Problems beyond that are only counted. Default 64 MiB.
   */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** What would become of a batch. */
export interface BatchCheck {
  /** What is wrong with the template; each entry tells it as well, as each job would. */
  readonly errors: readonly Diagnostic[];
  readonly entries: readonly EntryCheck[];
}

/** What would become of an entry. */
export interface EntryCheck {
  /** From 1. */
  readonly entry: number;
  /** The name that it asks for; null when it has none that could be read. */
  readonly requestedName: string | null;
  /** The name that its document would have now; null when there is none for it. */
  readonly fileName: string | null;
  /** The `errors` of its job. */
  readonly errors: readonly Diagnostic[];
  /** The `warnings` of its job, but for those of a conversion. */
  readonly warnings: readonly Diagnostic[];
}

/** Options of {@link Engine.close}. */
export interface CloseOptions {
  /** After so long, what still runs is given up, as with `signal`. Default: it may take as long as it takes. */
  readonly graceMs?: number;
  /**
   * Gives up what still runs when it is aborted. Over a durable job store the jobs are handed back, and
   * another engine makes them; otherwise they fail with `aborted`.
   */
  readonly signal?: AbortSignal;
}

/** Options of {@link Engine.listBatches}. */
export interface ListBatchesOptions {
  readonly tenant?: string;
  readonly caller?: string;
  /** The id of the template. */
  readonly template?: string;
  /** At most this many in the page. Default 100. */
  readonly limit?: number;
  /** `nextMarker` of the page before. */
  readonly marker?: string;
}

/** Options of {@link Engine.listJobs}. */
export interface ListJobsOptions extends ListBatchesOptions {
  /** Only of this batch. */
  readonly batchId?: string;
  /**
   * The page ends before the job whose problems would make it longer than this, as JSON; it has at least one job. The
   * problems of a job take at most 64 KB. Default: no limit.
   */
  readonly maxBytes?: number;
  readonly status?: JobStatus;
}

/** A page of a listing. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Pass it to get the next page; null at the end. */
  readonly nextMarker: string | null;
}

/** Makes documents in batches. Made by `createEngine`. */
export interface Engine {
  /**
   * Accepts a batch, whole or not at all, and begins to work on it. When it resolves, each entry comes to
   * an end; over a durable job store, whatever happens to this process. Entries of an array are all checked
   * before; of a stream, which is read to its end first, a wrong one becomes a failed job. An item of a
   * stream that is a `QuireError` says why it could not be read.
   *
   * Rejects `invalid_request` or `item_name_invalid` (all problems at once), `not_found` when the template,
   * its version or the folder is not there, `conflict` for an idempotency key of another request,
   * `limit_exceeded` when too many jobs wait already, `unavailable` when the engine is closing or the
   * request wants PDF and there is no converter, `job_store_failed`; and what the stream throws. The
   * template's content is not judged here: when it is wrong, every job fails with its diagnostics. The
   * template is read once, with what it includes, and stays as it was for the whole batch.
   */
  createBatch(
    request: BatchRequest | StreamedBatchRequest,
    options?: CreateBatchOptions,
  ): Promise<Batch>;

  /**
   * What {@link createBatch} would refuse, and else what the jobs would tell, with nothing accepted and nothing made. What
   * only the making finds stays unknown: names that other batches have reserved, and what a conversion tells or
   * fails of. The results of all entries are in memory at once, also of a stream.
   *
   * Rejects what `createBatch` rejects, but for what concerns the queue and idempotency keys; and what is no matter of
   * the entries: `unavailable`, `aborted`, and errors that may pass (`retryable`), such as `storage_failed`.
   */
  checkBatch(
    request: BatchRequest | StreamedBatchRequest,
    options?: CheckBatchOptions,
  ): Promise<BatchCheck>;

  /**
   * What a template asks for: a Word file or a PDF form, read as it is now, with what it includes. One that is wrong
   * gives its `errors`. Rejects `not_found`, `forbidden` and `storage_failed` like the storage, `timeout`,
   * `limit_exceeded` and `render_failed` like the renderer, `invalid_request` for delimiters that cannot be,
   * `aborted`, and `unavailable` when the engine is closing.
   */
  inspectTemplate(file: FileRef, options?: InspectTemplateOptions): Promise<TemplateInspection>;

  /** How much there is to do, over all engines of the job store. Rejects `job_store_failed`. */
  depth(): Promise<QueueDepth>;

  /** How far a batch is. Rejects `not_found`. */
  getBatch(batchId: string): Promise<Batch>;

  /** From the newest on. */
  listBatches(options?: ListBatchesOptions): Promise<Page<Batch>>;

  /** Rejects `not_found`. */
  getJob(jobId: string): Promise<Job>;

  /** The jobs of a batch by entry, or of all batches that are meant, from the newest on. */
  listJobs(options: ListJobsOptions): Promise<Page<Job>>;

  /**
   * The jobs of a batch as they reach their end, those already ended first; ends with the batch. Several
   * callers may iterate, each gets all. Throws `not_found` for an unknown id, `unavailable` when the engine
   * is closed before the batch has finished, `job_store_failed`.
   */
  jobs(batchId: string): AsyncIterable<Job>;

  /**
   * Ends a batch early: what is in work is given up, and what has not begun fails with `aborted`. What was
   * made stays. Rejects `not_found`.
   */
  cancelBatch(batchId: string): Promise<Batch>;

  /** Tries the failed jobs of a finished batch again. Rejects `not_found`, `conflict` when it still runs. */
  retryFailed(batchId: string): Promise<Batch>;

  /**
   * Takes no new batches and closes the renderer, the converter and the job store. Before, over a durable
   * job store, documents in work are finished and all others left to the next engine; otherwise all that
   * was accepted is finished. Closing twice is not an error.
   */
  close(options?: CloseOptions): Promise<void>;

  [Symbol.asyncDispose](): Promise<void>;
}
