import { randomUUID } from "node:crypto";
import { acceptBatch } from "./accept.ts";
import { parseConcurrency } from "./batch/concurrency.ts";
import { folderNames } from "./batch/folder-names.ts";
import { type Batch, type Job, parseJobId, toBatch, toJob } from "./batch/job.ts";
import type { BatchRequest, StreamedBatchRequest } from "./batch/request.ts";
import { room } from "./batch/room.ts";
import type {
  CloseOptions,
  CreateBatchOptions,
  Engine,
  EngineOptions,
  ListBatchesOptions,
  ListJobsOptions,
  Page,
} from "./engine-types.ts";
import { isQuireError, QuireError } from "./errors.ts";
import { memoryJobStore } from "./memory/job-store.ts";
import type { BatchRecord } from "./ports/job-records.ts";
import type { JobStore } from "./ports/job-store.ts";
import type { Storage } from "./ports/storage.ts";
import { renderPool } from "./renderer/pool.ts";
import type { Renderer } from "./renderer/renderer.ts";
import { BatchSources } from "./work/batch-source.ts";
import type { Workshop } from "./work/make-document.ts";
import { type WakeUp, wakeUp } from "./work/wake-up.ts";
import { WorkLoop } from "./worker.ts";

/**
 * The composition root: brings storage, job store, renderer and converter together. The caller closes the
 * engine. Over a durable job store it also finishes what engines before it have accepted, from now on.
 * Throws `invalid_request` for a number among the options that makes no sense.
 */
export function createEngine(options: EngineOptions): Engine {
  return new BatchEngine(options);
}

/** Documents that are rendered wait for the converter and the storage with about so many bytes. */
const MAX_RENDERED_BYTES = 64_000_000;
const LEASE_MS = 15_000;
const KEEP_DURABLE_MS = 30 * 24 * 3600 * 1000;
const KEEP_MEMORY_MS = 3600 * 1000;
/** Between two looks for jobs that another process has ended. */
const POLL_MS = 250;
const PAGE = 500;

class BatchEngine implements Engine {
  readonly #storage: Storage;
  readonly #jobs: JobStore;
  readonly #ownsJobs: boolean;
  readonly #workshop: Workshop;
  readonly #renderer: Renderer;
  readonly #sources: BatchSources;
  readonly #loop: WorkLoop;
  readonly #newId: () => string;
  readonly #withEvents: boolean;
  /** Batches that were accepted here, are not durable, and are not known to have finished. */
  readonly #unfinished = new Set<string>();
  readonly #accepting = new Set<Promise<unknown>>();
  /** Those who wait for jobs of a batch to end. */
  readonly #news = new Map<string, { readonly wakeUp: WakeUp; users: number }>();
  readonly #stopAccepting = new AbortController();
  #closing: Promise<void> | null = null;
  #closed = false;

  constructor(options: EngineOptions) {
    const { storage, converter, jobs, onEvent } = options;
    const concurrency = parseConcurrency(options.concurrency);
    this.#storage = storage;
    this.#jobs = jobs ?? memoryJobStore();
    this.#ownsJobs = jobs === undefined;
    this.#newId = options.newId ?? randomUUID;
    this.#withEvents = onEvent !== undefined;
    this.#renderer = options.renderer ?? renderPool();
    const { durable } = this.#jobs;
    this.#workshop = { storage, converter: converter ?? null, rendered: room(MAX_RENDERED_BYTES) };
    this.#sources = new BatchSources(this.#jobs, storage, this.#renderer, MAX_RENDERED_BYTES);
    const { keepFinishedMs = durable ? KEEP_DURABLE_MS : KEEP_MEMORY_MS } = options;
    this.#loop = new WorkLoop({
      jobs: this.#jobs,
      workshop: this.#workshop,
      sources: this.#sources,
      concurrency,
      leaseMs: options.leaseMs ?? LEASE_MS,
      keepFinishedMs,
      onEvent: onEvent ?? null,
      onSettled: (batchId, batchFinished) => this.#onSettled(batchId, batchFinished),
    });
    if (durable) this.#loop.start();
  }

  createBatch(
    request: BatchRequest | StreamedBatchRequest,
    options: CreateBatchOptions = {},
  ): Promise<Batch> {
    const accepted = this.#accept(request, options).finally(() => this.#accepting.delete(accepted));
    this.#accepting.add(accepted);
    return accepted;
  }

  async #accept(
    request: BatchRequest | StreamedBatchRequest,
    { tenant = "", weight = 1, caller, idempotencyKey, signal }: CreateBatchOptions,
  ): Promise<Batch> {
    this.#refuseWhenClosing();
    const stop = this.#stopAccepting.signal;
    if (!(weight > 0 && Number.isFinite(weight))) {
      throw new QuireError("invalid_request", "The option weight must be a number above 0.");
    }
    const context = {
      storage: this.#storage,
      jobs: this.#jobs,
      canConvert: this.#workshop.converter !== null,
    };
    const { batch } = await acceptBatch(context, request, {
      id: this.#newId(),
      tenant,
      weight,
      caller: caller ?? null,
      idempotencyKey: idempotencyKey ?? null,
      withEvents: this.#withEvents,
      signal: signal === undefined ? stop : AbortSignal.any([stop, signal]),
    });
    this.#noteUnfinished(batch);
    this.#loop.wake();
    return toBatch(batch);
  }

  async getBatch(batchId: string): Promise<Batch> {
    return toBatch(await this.#find(batchId));
  }

  async listBatches(options: ListBatchesOptions = {}): Promise<Page<Batch>> {
    const page = await this.#jobs.listBatches({ ...options, limit: options.limit ?? 100 });
    return { items: page.items.map(toBatch), nextMarker: page.nextMarker };
  }

  async getJob(jobId: string): Promise<Job> {
    const named = parseJobId(jobId);
    const batch = named && (await this.#jobs.getBatch(named.batchId));
    const found = batch && (await this.#jobs.getJob(named.batchId, named.entry));
    if (found) return toJob(found.job, batch);
    throw new QuireError("not_found", `There is no job ${JSON.stringify(jobId)}.`);
  }

  async listJobs(options: ListJobsOptions): Promise<Page<Job>> {
    const query = { ...options, order: "entry", limit: options.limit ?? 100 } as const;
    const { items, nextMarker } = await this.#jobs.listJobs(query);
    const batches = new Map<string, BatchRecord>();
    const jobs: Job[] = [];
    for (const record of items) {
      const batch = batches.get(record.batchId) ?? (await this.#jobs.getBatch(record.batchId));
      if (batch === null) continue; // deleted meanwhile
      batches.set(batch.id, batch);
      jobs.push(toJob(record, batch));
    }
    return { items: jobs, nextMarker };
  }

  async *jobs(batchId: string): AsyncGenerator<Job, void, undefined> {
    const news = this.#news.get(batchId) ?? { wakeUp: wakeUp(), users: 0 };
    this.#news.set(batchId, news);
    news.users += 1;
    try {
      let marker: string | undefined;
      for (;;) {
        if (this.#closed && this.#jobs.durable) throw closedMeanwhile();
        // Asked before the page is: what has ended by then is in it.
        const batch = await this.#find(batchId);
        const query = { batchId, order: "ended", limit: PAGE, ...(marker && { marker }) } as const;
        const page = await this.#jobs.listJobs(query);
        for (const record of page.items) yield toJob(record, batch);
        marker = page.nextMarker ?? marker;
        const isFinished = batch.status === "finished";
        if (page.items.length === PAGE || (isFinished && page.items.length > 0)) continue;
        if (isFinished) return;
        await news.wakeUp.wait(POLL_MS, true);
      }
    } finally {
      news.users -= 1;
      if (news.users === 0) this.#news.delete(batchId);
    }
  }

  async cancelBatch(batchId: string): Promise<Batch> {
    const batch = await this.#jobs.cancelBatch(batchId);
    await this.#sources.cancel(batchId);
    this.#onSettled(batchId, batch.status === "finished");
    this.#loop.wake();
    return toBatch(batch);
  }

  async retryFailed(batchId: string): Promise<Batch> {
    this.#refuseWhenClosing();
    const { folder } = await this.#find(batchId);
    const taken = await folderNames(this.#storage, folder, undefined);
    const batch = await this.#jobs.retryFailed(batchId, { isTaken: (name) => taken.has(name) });
    this.#sources.close(batchId);
    this.#noteUnfinished(batch);
    this.#loop.wake();
    return toBatch(batch);
  }

  close(options: CloseOptions = {}): Promise<void> {
    const { graceMs, signal } = options;
    const giveUp = (): void => void this.#giveUp(signal?.reason).catch(() => {});
    this.#closing ??= this.#drain();
    if (signal?.aborted) giveUp();
    signal?.addEventListener("abort", giveUp, { once: true });
    const timer = graceMs === undefined ? undefined : setTimeout(giveUp, graceMs);
    return this.#closing.finally(() => {
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
    await this.#loop.stop();
    await Promise.all([this.#renderer.close(), this.#workshop.converter?.close()]);
    // What was in memory stays there for whoever asks.
    if (!this.#ownsJobs) await this.#jobs.close();
    this.#closed = true;
    for (const { wakeUp } of this.#news.values()) wakeUp.wake();
  }

  /** What is not durable and not finished here is lost. */
  async #finishAll(): Promise<void> {
    for (const batchId of this.#unfinished) {
      try {
        for await (const _ of this.jobs(batchId));
      } catch (error) {
        // Another engine on the same store has finished it, and it was forgotten since.
        if (!isQuireError(error) || error.code !== "not_found") throw error;
      }
    }
  }

  async #giveUp(reason: unknown): Promise<void> {
    this.#stopAccepting.abort(reason);
    if (this.#jobs.durable) return this.#loop.giveUp(reason);
    for (const batchId of this.#unfinished) await this.cancelBatch(batchId);
  }

  #noteUnfinished({ id, status }: BatchRecord): void {
    if (status === "running" && !this.#jobs.durable) this.#unfinished.add(id);
  }

  #onSettled(batchId: string, batchFinished: boolean): void {
    if (batchFinished) this.#unfinished.delete(batchId);
    this.#news.get(batchId)?.wakeUp.wake();
  }

  #refuseWhenClosing(): void {
    if (this.#closing !== null) {
      throw new QuireError("unavailable", "The engine is closing and takes no new batches.");
    }
  }

  async #find(batchId: string): Promise<BatchRecord> {
    const batch = await this.#jobs.getBatch(batchId);
    if (batch !== null) return batch;
    throw new QuireError("not_found", `There is no batch ${JSON.stringify(batchId)}.`);
  }
}

function closedMeanwhile(): QuireError {
  return new QuireError(
    "unavailable",
    "The engine was closed before the batch had finished. An engine on the same job store goes on with it.",
  );
}
