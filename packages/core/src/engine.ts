import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import pLimit, { type LimitFunction } from "p-limit";
import { BatchRun } from "./batch/batch-run.ts";
import { parseConcurrency } from "./batch/concurrency.ts";
import { BatchNames, FolderNames } from "./batch/folder-names.ts";
import type { Batch, Job } from "./batch/job.ts";
import { type RequestChecks, requestChecks } from "./batch/parse-request.ts";
import { pdfOptionsOf } from "./batch/pdf-request.ts";
import { type BatchRequest, isStreamed, type StreamedBatchRequest } from "./batch/request.ts";
import { room } from "./batch/room.ts";
import { QuireError, throwIfAborted } from "./errors.ts";
import { isPdf } from "./pdf/is-pdf.ts";
import type { Converter } from "./ports/converter.ts";
import type { FolderRef, Storage } from "./ports/storage.ts";
import { renderPool } from "./renderer/pool.ts";
import type { Renderer } from "./renderer/renderer.ts";
import { type AcceptedBatch, type WorkContext, workThrough } from "./worker.ts";

/** What {@link createEngine} is made from. */
export interface EngineOptions {
  /** Where templates are read and documents are written. */
  readonly storage: Storage;
  /** Needed for `output_type: "pdf"`, but for PDF forms. The engine closes it. Default: none. */
  readonly converter?: Converter;
  /**
   * Where documents are rendered. Default: `renderPool()`, child processes that contain whatever untrusted
   * templates and data do; `renderInProcess()` is for what is trusted. The engine closes it.
   */
  readonly renderer?: Renderer;
  /**
   * Documents in work at the same time, over all batches: a whole number from 1. Most of them wait, for a
   * process of the renderer, the converter or the storage; of what is rendered, no more than some 64 MB
   * wait. Default: 32 for each core, at most 256.
   */
  readonly concurrency?: number;
  /** Gives the ids of batches and jobs. Default: random UUIDs. */
  readonly newId?: () => string;
}

/** Options of {@link Engine.createBatch}. */
export interface CreateBatchOptions {
  /**
   * Ends the batch early: running documents are given up and the entries that have not begun fail with
   * `aborted`; those that a stream had not given yet become no jobs, and the batch's `failure` says so.
   * What was finished stays.
   */
  readonly signal?: AbortSignal;
}

/** Options of {@link Engine.close}. */
export interface CloseOptions {
  /** Gives up what still runs when it is aborted, as in {@link CreateBatchOptions}. */
  readonly signal?: AbortSignal;
}

/** Makes documents in batches. Made by {@link createEngine}; its batches live as long as it does. */
export interface Engine {
  /**
   * Accepts a batch and begins to work on it. The request is checked whatever its type says; give a JSON
   * body to {@link parseBatchRequest} first to have the type as well. Rejects `invalid_request` or
   * `item_name_invalid` (all problems at once), `not_found` when the template, its version or the folder
   * is not there, `unavailable` when the engine is closing or the request wants PDF and there is no
   * converter. The template's content is not judged here: when it is wrong, every job fails with its
   * diagnostics. The template is read once; the entries are not copied, so do not change them before
   * their jobs have ended.
   */
  createBatch(
    request: BatchRequest | StreamedBatchRequest,
    options?: CreateBatchOptions,
  ): Promise<Batch>;

  /** How far a batch is. Rejects `not_found`. */
  getBatch(batchId: string): Promise<Batch>;

  /**
   * The jobs of a batch as they reach their end, those already ended first; ends with the batch. Several
   * callers may iterate, each gets all; of a streamed batch, jobs that all callers at the time have seen
   * are let go, so that a later caller gets only what came after. Throws `not_found` for an unknown id;
   * for a streamed batch that was not read to its end, why, after the last job.
   */
  jobs(batchId: string): AsyncIterable<Job>;

  /**
   * Refuses new batches, waits until the accepted ones have ended, closes the renderer and the converter.
   * Closing twice is not an error.
   */
  close(options?: CloseOptions): Promise<void>;

  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * The composition root: brings storage, renderer and converter together. The caller closes the engine.
 * Throws `invalid_request` for a `concurrency` that makes no sense.
 */
export function createEngine(options: EngineOptions): Engine {
  return new BatchEngine(options);
}

/** Documents that are rendered wait for the converter and the storage with about so many bytes. */
const MAX_RENDERED_BYTES = 64_000_000;

/** A template read for a batch: which version, and what renders it. */
interface PinnedTemplate {
  readonly pinned: Job["template"];
  readonly opened: WorkContext["template"];
  /** Whether it is a PDF form, whose documents are PDF as they are. */
  readonly isForm: boolean;
}

/** What a batch that is being accepted holds. */
interface Acceptance {
  readonly names: BatchNames;
  readonly shared: SharedNames;
  readonly checkEntry: RequestChecks["checkEntry"];
  readonly signal: AbortSignal | undefined;
}

/** The names of a folder, shared by the batches that write into it at the same time. */
interface SharedNames {
  readonly names: Promise<FolderNames>;
  users: number;
}

class BatchEngine implements Engine {
  readonly #storage: Storage;
  readonly #converter: Converter | null;
  readonly #renderer: Renderer;
  readonly #rendered = room(MAX_RENDERED_BYTES);
  readonly #newId: () => string;
  readonly #limit: LimitFunction;
  readonly #batches = new Map<string, BatchRun>();
  readonly #folders = new Map<string, SharedNames>();
  readonly #running = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #closing: Promise<void> | null = null;

  constructor({ storage, converter, renderer, concurrency, newId }: EngineOptions) {
    this.#storage = storage;
    this.#converter = converter ?? null;
    this.#newId = newId ?? randomUUID;
    this.#limit = pLimit(parseConcurrency(concurrency));
    this.#renderer = renderer ?? renderPool();
  }

  async createBatch(
    input: BatchRequest | StreamedBatchRequest,
    { signal }: CreateBatchOptions = {},
  ): Promise<Batch> {
    this.#refuseWhenClosing();
    const checks = await requestChecks();
    const request = isStreamed(input)
      ? checks.checkStreamedBatchRequest(input)
      : checks.checkBatchRequest(input);
    const template = await this.#readTemplate(request, signal);
    if (request.output_type === "pdf" && this.#converter === null && !template.isForm) {
      throw new QuireError(
        "unavailable",
        "The request asks for PDF, and the engine has no converter. Give createEngine a converter, for example libreOffice() of @quire/pdf-libreoffice.",
      );
    }
    const shared = this.#shareNames(request.destination_folder);
    try {
      const names = new BatchNames(await shared.names);
      // From here to the end of start() nothing is awaited: close() sees the batch or refuses it.
      this.#refuseWhenClosing();
      throwIfAborted(signal);
      return this.#start(request, template, {
        names,
        shared,
        checkEntry: checks.checkEntry,
        signal,
      });
    } catch (error) {
      this.#releaseNames(request.destination_folder.id, shared);
      throw error;
    }
  }

  #start(
    request: BatchRequest | StreamedBatchRequest,
    template: PinnedTemplate,
    { names, shared, checkEntry, signal }: Acceptance,
  ): Batch {
    const streamed = isStreamed(request);
    const run = new BatchRun(
      this.#newId(),
      streamed ? null : request.document_generation_data.length,
    );
    const batch: AcceptedBatch = {
      run,
      template: template.pinned,
      entries: request.document_generation_data,
      checkEntry: streamed ? checkEntry : null,
      context: {
        storage: this.#storage,
        converter: this.#converter,
        template: template.opened,
        rendered: this.#rendered,
        // Before one is rendered, any may be long: few are begun.
        expected: { bytes: Math.ceil(MAX_RENDERED_BYTES / (2 * availableParallelism())) },
        // Of one template in one version; the engine has one tenant.
        converting: { group: run.id, pdf: request.pdf && pdfOptionsOf(request.pdf) },
        folder: request.destination_folder,
        names,
        outputType: request.output_type,
        onConflict: request.on_conflict ?? "rename",
        rendering: {
          onMissing: request.on_missing,
          locale: request.locale,
          timeZone: request.time_zone,
          compression: request.compression,
          flatten: request.flatten,
        },
        signal: AbortSignal.any([this.#stop.signal, ...(signal === undefined ? [] : [signal])]),
      },
    };
    const work = workThrough(batch, this.#limit, this.#newId).finally(() => {
      this.#running.delete(work);
      names.release();
      this.#releaseNames(request.destination_folder.id, shared);
    });
    this.#batches.set(run.id, run);
    this.#running.add(work);
    return run.snapshot();
  }

  async getBatch(batchId: string): Promise<Batch> {
    return this.#find(batchId).snapshot();
  }

  jobs(batchId: string): AsyncIterable<Job> {
    return this.#find(batchId).jobs();
  }

  close({ signal }: CloseOptions = {}): Promise<void> {
    const giveUp = (): void => this.#stop.abort(signal?.reason);
    if (signal?.aborted) giveUp();
    signal?.addEventListener("abort", giveUp, { once: true });
    this.#closing ??= this.#drain();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
    await Promise.all([this.#renderer.close(), this.#converter?.close()]);
  }

  #refuseWhenClosing(): void {
    if (this.#closing !== null) {
      throw new QuireError("unavailable", "The engine is closing and takes no new batches.");
    }
  }

  #find(batchId: string): BatchRun {
    const run = this.#batches.get(batchId);
    if (run === undefined) {
      throw new QuireError("not_found", `There is no batch ${JSON.stringify(batchId)}.`);
    }
    return run;
  }

  async #readTemplate(
    { file, file_version, delimiters }: Pick<BatchRequest, "file" | "file_version" | "delimiters">,
    signal: AbortSignal | undefined,
  ): Promise<PinnedTemplate> {
    const { bytes, version } = await this.#storage.read(file, {
      ...(file_version === undefined ? {} : { version: file_version.id }),
      ...(signal === undefined ? {} : { signal }),
    });
    // Whether it is wrong is told job by job.
    const opened = this.#renderer.open(bytes, {
      delimiters,
      // What a template includes is named by the id of a file in the same storage.
      readTemplate: async (id) => (await this.#storage.read({ type: "file", id })).bytes,
    });
    return { pinned: { ...file, version }, opened, isForm: isPdf(bytes) };
  }

  /** Lists a folder once for all batches that use it at the same time; no single one's signal ends that. */
  #shareNames(folder: FolderRef): SharedNames {
    const shared = this.#folders.get(folder.id) ?? {
      names: FolderNames.of(this.#storage, folder, this.#stop.signal),
      users: 0,
    };
    this.#folders.set(folder.id, shared);
    shared.users += 1;
    return shared;
  }

  #releaseNames(folderId: string, shared: SharedNames): void {
    shared.users -= 1;
    if (shared.users === 0 && this.#folders.get(folderId) === shared)
      this.#folders.delete(folderId);
  }
}
