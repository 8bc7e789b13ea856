import { randomUUID } from "node:crypto";
import {
  type BatchRecord,
  type FileRef,
  type JobStore,
  type QueueDepth,
  QuireError,
  takenNames,
} from "@quire/contracts";
import { renderPool } from "@quire/render-pool/internal/pool/pool";
import type { Renderer } from "@quire/render-pool/internal/protocol/renderer";
import { parseConcurrency } from "../batch/concurrency.ts";
import { type Batch, type Job, toBatch } from "../batch/job.ts";
import type { BatchRequest, StreamedBatchRequest } from "../batch/request.ts";
import { memoryJobStore } from "../memory/job-store.ts";
import { acceptBatch } from "./accept.ts";
import { BatchSources, type StorageOf } from "./batch-source.ts";
import { type CheckContext, checkBatch } from "./check-batch.ts";
import { checkEngineOptions, knownOptions, workOptions, workShare } from "./engine-options.ts";
import type {
  BatchCheck,
  BatchPause,
  CheckBatchOptions,
  CloseOptions,
  CreateBatchOptions,
  Engine,
  EngineOptions,
  InspectTemplateOptions,
  ListBatchesOptions,
  ListJobsOptions,
  Page,
  TemplateInspection,
} from "./engine-types.ts";
import { Followers } from "./followers.ts";
import { inspectTemplate } from "./inspect-template.ts";
import { createJobContext, type JobContext } from "./make-document.ts";
import { Pauses } from "./pauses.ts";
import { findBatch, readBatches, readJob, readJobs } from "./read-jobs.ts";
import { WorkLoop } from "./worker.ts";

/**
 * Creates an engine from a storage, a job store, a renderer and a converter. The caller closes the engine. With a
 * durable job store, it immediately starts to process the batches that earlier engines have accepted (see
 * `EngineOptions.work`). Throws `invalid_request` for an unknown option, an invalid number, a missing storage, or
 * options that do not fit together.
 */
export function createEngine(options: EngineOptions): Engine {
  return new BatchEngine(checkEngineOptions(options));
}

/** How long the handler may take for the events of batches that `close` has cancelled. */
const LAST_EVENTS_MS = 1000;

class BatchEngine implements Engine {
  readonly #storageOf: StorageOf;
  readonly #jobs: JobStore;
  readonly #ownsJobs: boolean;
  readonly #jobContext: JobContext;
  readonly #renderer: Renderer;
  readonly #sources: BatchSources;
  readonly #pauses: Pauses;
  readonly #followers: Followers;
  /** Null if this engine makes no documents. */
  readonly #loop: WorkLoop | null = null;
  readonly #acceptsConversions: boolean;
  readonly #concurrency: number;
  readonly #newId: () => string;
  readonly #withEvents: boolean;
  /** The ids of batches that this engine accepted, that are not durable, and that may be unfinished. */
  readonly #unfinished = new Set<string>();
  /** Running calls to `createBatch`, `checkBatch` and `inspectTemplate`. */
  readonly #accepting = new Set<Promise<unknown>>();
  readonly #stopAccepting = new AbortController();
  /** Ends the delivery of events after the work was given up. */
  #lastEvents: NodeJS.Timeout | undefined;
  #closing: Promise<void> | null = null;

  constructor(options: EngineOptions) {
    const { storage, jobs } = options;
    this.#concurrency = parseConcurrency(options.concurrency);
    this.#storageOf = typeof storage === "function" ? storage : () => storage;
    this.#jobs = jobs ?? memoryJobStore();
    this.#ownsJobs = jobs === undefined;
    const { takes, acceptsConversions } = workShare(options, this.#jobs.durable);
    this.#acceptsConversions = acceptsConversions;
    this.#newId = options.newId ?? randomUUID;
    const work = workOptions(options, this.#jobs.durable);
    this.#withEvents = options.keepEvents ?? work.eventHandler !== null;
    this.#renderer = options.renderer ?? renderPool();
    this.#jobContext = createJobContext(this.#storageOf, options);
    this.#sources = new BatchSources(this.#jobs, this.#storageOf, this.#renderer);
    this.#pauses = new Pauses(options, this.#jobs.durable);
    this.#followers = new Followers(this.#jobs);
    if (takes === null) return;
    this.#loop = new WorkLoop({
      jobs: this.#jobs,
      takes,
      jobContext: this.#jobContext,
      sources: this.#sources,
      pauses: this.#pauses,
      concurrency: this.#concurrency,
      ...work,
      onSettled: (batchId, batchFinished) => this.#onSettled(batchId, batchFinished),
    });
    if (this.#jobs.durable) this.#loop.start();
  }

  createBatch(
    request: BatchRequest | StreamedBatchRequest,
    options: CreateBatchOptions = {},
  ): Promise<Batch> {
    return this.#track(this.#accept(request, options));
  }

  async checkBatch(
    request: BatchRequest | StreamedBatchRequest,
    options: CheckBatchOptions = {},
  ): Promise<BatchCheck> {
    const { tenant = "", signal, maxBytes } = knownOptions.checkBatch(options);
    return this.#track(
      this.#look(tenant, signal, (context) => checkBatch(context, request, maxBytes)),
    );
  }

  async inspectTemplate(
    file: FileRef,
    given: InspectTemplateOptions = {},
  ): Promise<TemplateInspection> {
    const { tenant = "", signal, ...options } = knownOptions.inspectTemplate(given);
    return this.#track(
      this.#look(tenant, signal, (context) => inspectTemplate(context, file, options)),
    );
  }

  async #look<T>(
    tenant: string,
    signal: AbortSignal | undefined,
    look: (context: CheckContext) => Promise<T>,
  ): Promise<T> {
    this.#refuseWhenClosing("accepts no new checks");
    return look({
      tenant,
      storage: this.#storageOf(tenant),
      renderer: this.#renderer,
      acceptsConversions: this.#acceptsConversions,
      concurrency: this.#concurrency,
      signal: this.#stoppable(signal),
    });
  }

  /** Makes `close` wait for this work. */
  #track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => this.#accepting.delete(tracked));
    this.#accepting.add(tracked);
    return tracked;
  }

  /** Returns a signal that is aborted with the caller's signal, or when a closing engine gives up its work. */
  #stoppable(signal: AbortSignal | undefined): AbortSignal {
    const stop = this.#stopAccepting.signal;
    return signal === undefined ? stop : AbortSignal.any([stop, signal]);
  }

  async #accept(
    request: BatchRequest | StreamedBatchRequest,
    options: CreateBatchOptions,
  ): Promise<Batch> {
    this.#refuseWhenClosing();
    const {
      tenant = "",
      weight = 1,
      caller,
      idempotencyKey,
      trace,
      signal,
      refusal,
    } = knownOptions.createBatch(options);
    const [jobs, acceptsConversions] = [this.#jobs, this.#acceptsConversions];
    const context = { storage: this.#storageOf(tenant), jobs, acceptsConversions };
    const { batch } = await acceptBatch(context, request, {
      id: this.#newId(),
      tenant,
      weight,
      caller: caller ?? null,
      idempotencyKey: idempotencyKey ?? null,
      withEvents: this.#withEvents,
      trace: trace ?? null,
      refusal,
      earlierResult: options.earlierResult ?? null,
      part: options.part ?? null,
      signal: this.#stoppable(signal),
    });
    this.#noteUnfinished(batch);
    this.#loop?.wake();
    return toBatch(batch);
  }

  async getBatch(batchId: string): Promise<Batch> {
    return toBatch(await findBatch(this.#jobs, batchId));
  }

  depth(): Promise<QueueDepth> {
    return this.#jobs.gauge.depth();
  }

  pauses(): readonly BatchPause[] {
    return this.#pauses.current;
  }

  outage(): BatchPause | null {
    return this.#pauses.outage;
  }

  listBatches(options: ListBatchesOptions = {}): Promise<Page<Batch>> {
    return readBatches(this.#jobs, options);
  }

  getJob(jobId: string): Promise<Job> {
    return readJob(this.#jobs, jobId);
  }

  listJobs(options: ListJobsOptions): Promise<Page<Job>> {
    return readJobs(this.#jobs, options);
  }

  jobs(batchId: string): AsyncGenerator<Job, void, undefined> {
    return this.#followers.follow(batchId);
  }

  async cancelBatch(batchId: string): Promise<Batch> {
    const batch = await this.#jobs.cancelBatch(batchId);
    await this.#sources.cancel(batchId);
    this.#onSettled(batchId, batch.status === "finished");
    this.#loop?.wake();
    return toBatch(batch);
  }

  async retryFailed(batchId: string): Promise<Batch> {
    this.#refuseWhenClosing();
    const { folder, tenant } = await findBatch(this.#jobs, batchId);
    const taken = await takenNames(this.#storageOf(tenant), folder, null, undefined);
    const batch = await this.#jobs.retryFailed(batchId, { isTaken: (name) => taken.has(name) });
    this.#sources.close(batchId);
    this.#noteUnfinished(batch);
    this.#loop?.wake();
    return toBatch(batch);
  }

  async close(options: CloseOptions = {}): Promise<void> {
    const { graceMs, signal } = knownOptions.close(options);
    const giveUp = (): void => void this.#giveUp(signal?.reason).catch(() => {});
    this.#closing ??= this.#drain();
    if (signal?.aborted) giveUp();
    signal?.addEventListener("abort", giveUp, { once: true });
    const timer = graceMs === undefined ? undefined : setTimeout(giveUp, graceMs);
    await this.#closing.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #drain(): Promise<void> {
    await Promise.allSettled(this.#accepting);
    if (!this.#jobs.durable) await this.#finishAll();
    await this.#loop?.stop();
    clearTimeout(this.#lastEvents);
    await Promise.all([this.#renderer.close(), this.#jobContext.converter?.close()]);
    // The default job store does not have to be closed, and its batches can still be read.
    if (!this.#ownsJobs) await this.#jobs.close();
    this.#followers.close();
  }

  /** Waits for unfinished batches: the job store is not durable, so they would be lost with the process. */
  async #finishAll(): Promise<void> {
    for (const batchId of this.#unfinished) await this.#followers.untilEnd(batchId);
  }

  async #giveUp(reason: unknown): Promise<void> {
    this.#stopAccepting.abort(reason);
    if (this.#jobs.durable) return this.#loop?.giveUp(reason);
    this.#lastEvents ??= setTimeout(() => this.#loop?.giveUp(reason), LAST_EVENTS_MS);
    for (const batchId of this.#unfinished) await this.cancelBatch(batchId);
  }

  #noteUnfinished({ id, status }: BatchRecord): void {
    if (status === "running" && !this.#jobs.durable) this.#unfinished.add(id);
  }

  #onSettled(batchId: string, batchFinished: boolean): void {
    if (batchFinished) this.#unfinished.delete(batchId);
    this.#followers.notify(batchId);
  }

  #refuseWhenClosing(what = "accepts no new batches"): void {
    if (this.#closing !== null) {
      throw new QuireError("unavailable", `The engine is closing and ${what}.`);
    }
  }
}
