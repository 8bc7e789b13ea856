import type {
  Converter,
  Diagnostic,
  FileInfo,
  FileRef,
  JobFailure,
  JobInput,
  JobResult,
  JobStatus,
  JobStore,
  QueueDepth,
  QuireError,
  Storage,
} from "@quire/contracts";
import type { CompileOptions } from "@quire/docx/internal/compile-options";
import type { JsonSchema } from "@quire/docx/internal/inspect/schema";
import type { TemplateTag } from "@quire/docx/internal/inspect/tags";
import type { Renderer } from "@quire/render-pool/internal/protocol/renderer";
import type { Batch, EngineEvent, Job } from "../batch/job.ts";
import type { BatchRequest, StreamedBatchRequest } from "../batch/request.ts";
import type { StepObserver } from "./observe-step.ts";
import type { StoreFailureHandler } from "./store-watch.ts";

/** Options of `createEngine`. */
export interface EngineOptions {
  /**
   * Where the engine reads templates and writes documents. A function returns a tenant's view of the storage. All work
   * for a batch uses its tenant's view, so neither the template nor the data can name a file outside it. The function
   * is called often, and must always return the same view, in every engine that shares the job store. Names are
   * reserved by the folder's id alone, so folders of two tenants must have different ids.
   */
  readonly storage: Storage | ((tenant: string) => Storage);
  /**
   * Makes PDFs. An engine without a converter accepts no batches that need one (`output_type: "pdf"`, except for PDF
   * forms), unless other engines do them: see `work`. The engine closes it. Default: none.
   */
  readonly converter?: Converter;
  /**
   * Where batches and jobs are kept until they are done, and for some time afterwards. The engine closes it. Engines
   * that share a job store must use the same storage, and share the work. Default: `memoryJobStore()`, which is lost
   * with the process.
   */
  readonly jobs?: JobStore;
  /**
   * Which documents this engine makes: all that it can make (true), only those that need no converter (`docx`, which
   * includes PDF forms), only those that need one (`pdf`), or none (false). It accepts, lists, follows, cancels and
   * retries batches in any case. With a value other than true, other engines on the same job store make the other
   * documents, so the store must be durable, and this engine accepts batches for a converter without having one.
   * Default: true.
   */
  readonly work?: boolean | "docx" | "pdf";
  /**
   * Whether batches that need a converter are accepted. Without a converter, another engine must have one. Default:
   * whether this engine has a converter; true with a `work` other than true.
   */
  readonly acceptsConversions?: boolean;
  /**
   * Where documents are rendered. Default: `renderPool()`, child processes that isolate untrusted templates and data.
   * Use `renderInProcess()` only for trusted ones. The engine closes it.
   */
  readonly renderer?: Renderer;
  /**
   * The maximum number of documents of one batch in progress at the same time: a positive integer. All batches of a
   * tenant together have at most about twice as many, all tenants together about four times as many, so that slow
   * documents of one tenant leave room for the others. Most of them wait for a renderer process, the converter or the
   * storage. Rendered documents that wait take at most about 64 MB for each tenant, and twice that for all tenants.
   * Default: 32 for each core, at most 256.
   */
  readonly concurrency?: number;
  /**
   * Called with the events of batches that were accepted with `keepEvents`, one event at a time. Each event is
   * delivered at least once, even after a crash, and an engine delivers the events of a batch in their order. If the
   * handler rejects, the engine calls it again some time later;
   * until then, other events wait. `close` waits for the handler, at most for `graceMs`. With a durable job store, the
   * next engine then delivers the remaining events; otherwise, the handler has one more second for them. An engine with
   * `work: false` delivers no events and must not have a handler. Default: no handler.
   */
  readonly onEvent?: (event: EngineEvent) => Promise<void> | void;
  /**
   * Like `onEvent`, but called with up to 100 events at once, which may belong to several batches. If the handler
   * rejects, all of them are delivered again. Use it where a call costs much, such as a write to a database. Pass only
   * one of the two. Default: no handler.
   */
  readonly onEvents?: (events: readonly EngineEvent[]) => Promise<void> | void;
  /**
   * Whether the events of batches that this engine accepts are kept until an engine with `onEvent` or `onEvents`
   * delivers them. Default: whether this engine has one of these.
   */
  readonly keepEvents?: boolean;
  /**
   * Called when work stops because the job store fails, for example on a full disk or while a stopped process keeps the
   * file locked, and with null when work continues. The engine tries again by itself. Default: no handler.
   */
  readonly onStoreFailure?: StoreFailureHandler;
  /**
   * How long a finished batch is kept. After that, its data is deleted, then its record. Its documents are kept. A batch
   * with events that no handler has accepted is kept until it has, at most for a week longer. Null: forever. Default:
   * 30 days; an hour if the job store is not durable.
   */
  readonly keepFinishedMs?: number | null;
  /**
   * Length of the lease on jobs, in milliseconds. If an engine hangs for longer, or dies on another machine, another
   * engine then takes its jobs. If it dies on the same machine, another engine takes them immediately. Default 15,000.
   */
  readonly leaseMs?: number;
  /**
   * How long jobs wait for a storage or a converter that does not work, in milliseconds. After that, each job fails when
   * its attempts are used up. Null: until it works again. Default: 24 hours; one minute if the job store is not durable.
   */
  readonly maxPauseMs?: number | null;
  /**
   * Called when a batch pauses because the storage or the converter has not worked for some seconds, and when it
   * resumes or ends. An error that it throws is ignored. Default: none. See {@link Engine.pauses}.
   */
  readonly onPause?: (pause: BatchPause, state: "paused" | "resumed") => void;
  /** Called around the steps of each job, to trace and measure them. Default: none. */
  readonly observe?: StepObserver;
  /** Returns a new id for a batch. Default: random UUIDs. */
  readonly newId?: () => string;
}

/** Finds the result of an earlier batch for an entry of a new one. If it returns null, the job of the entry runs. */
export type EarlierResult = (entry: {
  /** From 1, in the order of the request. */
  readonly number: number;
  /** The requested name with its extension. */
  readonly fileName: string;
  /** The data as the job store keeps it: equal entries have equal inputs. */
  readonly input: JobInput;
}) => Promise<JobResult | null> | JobResult | null;

/** A part of a request: the entries from one number to another, both included. The first entry has the number 1. */
export interface BatchPart {
  /** The number of its first entry. */
  readonly first: number;
  /** The number of its last entry. If the request has fewer entries, the part ends with the last of them. */
  readonly last: number;
}

/** Options of {@link Engine.createBatch}. */
export interface CreateBatchOptions {
  /**
   * Cancels the acceptance: the call rejects `aborted`, and nothing is accepted. To cancel an accepted batch, use
   * `cancelBatch`.
   */
  readonly signal?: AbortSignal;
  /**
   * The caller's name for this request. However often the request is submitted, even concurrently or after a crash,
   * only one batch is created, and each call returns it. A different request under the same key rejects `conflict`.
   * Keys are per tenant and last as long as the batch.
   */
  readonly idempotencyKey?: string;
  /** The tenant that owns the batch. Tenants share the engine fairly. Default `""`. */
  readonly tenant?: string;
  /** The tenant's share: a tenant of weight 2 gets twice as much as a tenant of weight 1. Default 1. */
  readonly weight?: number;
  /** Who submits the batch, for use as a filter in listings. Default: unknown. */
  readonly caller?: string;
  /**
   * The `traceparent` (W3C Trace Context) of the request. It is kept unchanged, and passed to {@link
   * EngineOptions.observe} with each job. Requests that differ only in this value count as the same request. Default:
   * none.
   */
  readonly trace?: string;
  /**
   * Called for each valid entry while it is accepted. If it returns the result that an earlier batch has for the entry,
   * the job is accepted as ended, and its document is not made again. The caller is responsible for the document: the
   * engine does not check it. If the function rejects, the batch is rejected. Default: every job runs.
   */
  readonly earlierResult?: EarlierResult;
  /**
   * Only this part of the request becomes jobs, which are numbered from 1. Use it to divide a request among engines that
   * do not share a job store: each gets the same entries, up to the end of its part, and another part. `on_conflict`
   * applies to the names of all these entries, so each job has the name that it would have in one batch of all parts in
   * an empty folder. If a file in the folder has this name, the job fails with `conflict`. Default: all entries.
   */
  readonly part?: BatchPart;
  /**
   * Why new batches of the tenant are refused: the call rejects with this error unless the idempotency key is known.
   */
  readonly refusal?: QuireError;
}

/** Options of {@link Engine.inspectTemplate}. */
export interface InspectTemplateOptions extends Pick<CompileOptions, "delimiters"> {
  /** The tenant that owns the template. Default `""`. */
  readonly tenant?: string;
  /** The version of the template to read. Default: the current one. */
  readonly version?: string;
  /** Ends the inspection: the call rejects `aborted`. */
  readonly signal?: AbortSignal;
}

/** A template and the data it expects. */
export interface TemplateInspection {
  /** The version that was read. */
  readonly file: FileInfo;
  /** Every tag, in document order; empty if the template has errors. */
  readonly tags: readonly TemplateTag[];
  /** The JSON Schema (draft 2020-12) of the data that the template expects; `{}` if the template has errors. */
  readonly schema: JsonSchema;
  /** The errors in the template. If there are any, no document can be created from it. */
  readonly errors: readonly Diagnostic[];
  /** Possible mistakes, and content that is removed from every document, such as macros. */
  readonly warnings: readonly Diagnostic[];
}

/** Options of {@link Engine.checkBatch}. */
export interface CheckBatchOptions {
  /** The tenant that would own the batch. Default `""`. */
  readonly tenant?: string;
  /**
   * Maximum total size of the problems of all entries, in bytes of JSON. Problems beyond this size are only counted.
   * Default 64 MiB.
   */
  readonly maxBytes?: number;
  /** Ends the check: the call rejects `aborted`. */
  readonly signal?: AbortSignal;
}

/** The expected outcome of a batch. */
export interface BatchCheck {
  /** The errors in the template. Each entry repeats them, as each job would. */
  readonly errors: readonly Diagnostic[];
  /** The outcome of each entry, in the order of the request. */
  readonly entries: readonly EntryCheck[];
}

/** The expected outcome of an entry. */
export interface EntryCheck {
  /** The number of the entry within the batch, from 1. */
  readonly entry: number;
  /** The name that the entry requests; null if it has no readable name. */
  readonly requestedName: string | null;
  /** The name that its document would get now; null if it would not get one. */
  readonly fileName: string | null;
  /** The `errors` that its job would have. */
  readonly errors: readonly Diagnostic[];
  /** The `warnings` that its job would have, except warnings of a conversion. */
  readonly warnings: readonly Diagnostic[];
}

/**
 * A batch that waits because the storage or the converter does not work, for example because a disk is full. Its jobs
 * do not fail for this reason: the engine tries some of them every ten seconds, and resumes with the first success.
 */
export interface BatchPause {
  /** The id of the batch, as in {@link Batch}. */
  readonly batchId: string;
  /** The tenant that owns the batch. */
  readonly tenant: string;
  /** How the last attempt failed. */
  readonly failure: JobFailure;
  /** The time of the first failure. */
  readonly since: Date;
}

/** Options of {@link Engine.close}. */
export interface CloseOptions {
  /** After this time, in milliseconds, running work is cancelled, as with `signal`. Default: no limit. */
  readonly graceMs?: number;
  /**
   * Cancels running work when it is aborted. With a durable job store, the jobs are handed back and another engine
   * processes them; otherwise, they fail with `aborted`, and events that the handler has not accepted a second later are
   * dropped.
   */
  readonly signal?: AbortSignal;
}

/** Options of {@link Engine.listBatches}. */
export interface ListBatchesOptions {
  /** Only batches of this tenant. Default: all tenants. */
  readonly tenant?: string;
  /** Only batches that this caller submitted. Default: all callers. */
  readonly caller?: string;
  /** Only batches with this template, by its id. Default: all templates. */
  readonly template?: string;
  /** Maximum number of items in the page. Default 100. */
  readonly limit?: number;
  /** `nextMarker` of the page before. */
  readonly marker?: string;
}

/** Options of {@link Engine.listJobs}. */
export interface ListJobsOptions extends ListBatchesOptions {
  /** Only jobs of this batch. Default: all batches. */
  readonly batchId?: string;
  /**
   * Maximum size of the problems on a page, in bytes of JSON. A page ends before the job that would exceed it, but has
   * at least one job. The problems of a job take at most 64 KB. Default: no limit.
   */
  readonly maxBytes?: number;
  /** Only jobs in this state. Default: all states. */
  readonly status?: JobStatus;
}

/** A page of a listing. */
export interface Page<T> {
  /** In the order of the listing; may be empty, even if there is a next page. */
  readonly items: readonly T[];
  /** Pass it to get the next page; null at the end. */
  readonly nextMarker: string | null;
}

/** Generates documents in batches. Created by `createEngine`. */
export interface Engine {
  /**
   * Accepts a batch, completely or not at all, and starts to work on it, unless other engines do that. Once the promise resolves, each entry will be
   * processed to its end. If the job store is durable, this is also true after a crash of this process. The entries of
   * an array are all checked before the batch is accepted. A stream is read to its end first, and each of its invalid
   * entries becomes a failed job. If the stream yields a `QuireError`, it explains why that entry could not be read.
   *
   * Rejects `invalid_request` or `item_name_invalid` (with all problems), `not_found` if the template, its version or
   * the folder does not exist, `conflict` if the idempotency key belongs to another request, `limit_exceeded` if too
   * many jobs are waiting, `unavailable` if the engine is closing or a PDF is requested and there is no converter (see
   * `EngineOptions.converter`),
   * `job_store_failed`, and errors of the storage, unchanged. If the stream throws a `QuireError`, rejects with it; for
   * any other error of the stream, rejects `invalid_data` with the error as the cause. The template's content is not
   * checked here: if it has errors, every job fails with these errors. The template and the templates it includes are
   * read once, and the whole batch uses those versions.
   */
  createBatch(
    request: BatchRequest | StreamedBatchRequest,
    options?: CreateBatchOptions,
  ): Promise<Batch>;

  /**
   * Returns the problems that the jobs would report, without accepting or creating anything; rejects requests that
   * {@link createBatch} would reject. Some problems only appear when documents are created: names that other batches
   * have reserved, and warnings and errors of a conversion. The results of all entries are in memory at the same time,
   * even if the entries are a stream.
   *
   * Rejects with the errors of `createBatch`, except those about the queue and idempotency keys. Also rejects with
   * errors that do not concern the entries: `unavailable`, `aborted`, and errors that may be temporary (`retryable`),
   * such as `storage_failed`.
   */
  checkBatch(
    request: BatchRequest | StreamedBatchRequest,
    options?: CheckBatchOptions,
  ): Promise<BatchCheck>;

  /**
   * Describes the data that a template expects. The template is a Word file or a PDF form. Templates that it includes
   * are read in their current state. If the template is invalid, the result contains its `errors`. Rejects with the
   * storage's `not_found`, `forbidden` and `storage_failed`; with the renderer's `timeout`, `limit_exceeded` and
   * `render_failed`; with `invalid_request` for delimiters that are not allowed; with `aborted`; and with `unavailable`
   * if the engine is closing.
   */
  inspectTemplate(file: FileRef, options?: InspectTemplateOptions): Promise<TemplateInspection>;

  /**
   * Returns how many jobs are waiting or in progress, over all engines of the job store. Rejects `job_store_failed`.
   */
  depth(): Promise<QueueDepth>;

  /** Returns the batches that are paused in this engine. Other engines of the job store may be able to process them. */
  pauses(): readonly BatchPause[];

  /**
   * Returns the first of the {@link pauses} if at least three jobs, of any batches, have failed for such reasons since
   * the last document was created; otherwise null. A service uses it to refuse new batches.
   */
  outage(): BatchPause | null;

  /** Returns the state and progress of a batch. Rejects `not_found`. */
  getBatch(batchId: string): Promise<Batch>;

  /** Lists batches, newest first. */
  listBatches(options?: ListBatchesOptions): Promise<Page<Batch>>;

  /** Rejects `not_found`. */
  getJob(jobId: string): Promise<Job>;

  /** Lists the jobs of a batch in order of entries, or the jobs of all selected batches, newest batch first. */
  listJobs(options: ListJobsOptions): Promise<Page<Job>>;

  /**
   * Iterates over the jobs of a batch in the order in which they end, starting with those that have already ended. The
   * iteration ends with the batch. Several callers may iterate; each gets all jobs. Throws `not_found` for an unknown
   * id, `unavailable` if the engine is closed before the batch has finished, and `job_store_failed`.
   */
  jobs(batchId: string): AsyncIterable<Job>;

  /**
   * Ends a batch early: cancels jobs in progress, and fails jobs that have not started with `aborted`. Finished
   * documents are kept. Rejects `not_found`.
   */
  cancelBatch(batchId: string): Promise<Batch>;

  /**
   * Submits the failed jobs of a finished batch again. Rejects `not_found`, and `conflict` if the batch is still
   * running.
   */
  retryFailed(batchId: string): Promise<Batch>;

  /**
   * Accepts no new batches, and closes the renderer, the converter and the job store. With a durable job store,
   * documents in progress are finished first, and the next engine creates all others. Otherwise, all accepted jobs are
   * finished first. Closing twice is not an error.
   */
  close(options?: CloseOptions): Promise<void>;

  /** Calls {@link close} without options. */
  [Symbol.asyncDispose](): Promise<void>;
}
