import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import pLimit, { type LimitFunction } from "p-limit";
import { BatchRun } from "./batch/batch-run.ts";
import { FolderNames } from "./batch/folder-names.ts";
import type { Batch, Job } from "./batch/job.ts";
import { withExtension } from "./batch/output-names.ts";
import {
  type BatchRequest,
  type GenerationEntry,
  isStreamed,
  parseBatchRequest,
  parseEntry,
  parseStreamedBatchRequest,
  type StreamedBatchRequest,
} from "./batch/request.ts";
import { untilAborted } from "./batch/until-aborted.ts";
import { compileTemplate } from "./docx/compile-template.ts";
import { isQuireError, QuireError } from "./errors.ts";
import type { Converter } from "./ports/converter.ts";
import type { Storage } from "./ports/storage.ts";
import { failed, makeDocument, type Outcome, type WorkContext } from "./worker.ts";

/** What {@link createEngine} is made from. */
export interface EngineOptions {
  /** Where templates are read and documents are written. */
  readonly storage: Storage;
  /** Needed for `output_type: "pdf"`. The engine closes it. Default: none. */
  readonly converter?: Converter;
  /** Documents in work at the same time, over all batches. Default: the number of cores. */
  readonly concurrency?: number;
  /** Gives the ids of batches and jobs. Default: random UUIDs. */
  readonly newId?: () => string;
}

/** Options of {@link Engine.createBatch}. */
export interface CreateBatchOptions {
  /**
   * Ends the batch early: running documents are given up and the entries that have not begun fail with
   * `aborted`. What was finished stays.
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
   * Accepts a batch and begins to work on it. The request is `unknown` because it usually comes out of a
   * JSON body. Rejects `invalid_request` or `item_name_invalid` (all problems at once), `not_found` when
   * the template, its version or the folder is not there, `unavailable` when the engine is closing or
   * the request wants PDF and there is no converter. The template's content is not judged here: when
   * it is wrong, every job fails with its diagnostics.
   */
  createBatch(
    request: BatchRequest | StreamedBatchRequest | unknown,
    options?: CreateBatchOptions,
  ): Promise<Batch>;

  /** How far a batch is. Rejects `not_found`. */
  getBatch(batchId: string): Promise<Batch>;

  /**
   * The jobs of a batch as they reach their end, those already ended first; ends with the batch. Several
   * callers may iterate, each gets all. Throws `not_found` for an unknown id; for a streamed batch
   * whose source broke, what it threw, after the last job.
   */
  jobs(batchId: string): AsyncIterable<Job>;

  /**
   * Refuses new batches, waits until the accepted ones have ended, closes the converter. Closing twice
   * is not an error.
   */
  close(options?: CloseOptions): Promise<void>;

  [Symbol.asyncDispose](): Promise<void>;
}

/** The composition root: brings storage, renderer and converter together. The caller closes the engine. */
export function createEngine(options: EngineOptions): Engine {
  return new BatchEngine(options);
}

/** A batch between acceptance and work. */
interface AcceptedBatch {
  readonly run: BatchRun;
  readonly context: WorkContext;
  readonly template: Job["template"];
  readonly entries: Iterable<unknown> | AsyncIterable<unknown>;
  /** Whether the entries come unchecked, one by one. */
  readonly streamed: boolean;
}

/** The names of a folder, shared by the batches that write into it at the same time. */
interface SharedNames {
  readonly names: Promise<FolderNames>;
  users: number;
}

class BatchEngine implements Engine {
  readonly #storage: Storage;
  readonly #converter: Converter | null;
  readonly #newId: () => string;
  readonly #limit: LimitFunction;
  readonly #batches = new Map<string, BatchRun>();
  readonly #folders = new Map<string, SharedNames>();
  readonly #running = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #closing: Promise<void> | null = null;

  constructor({ storage, converter, concurrency, newId }: EngineOptions) {
    this.#storage = storage;
    this.#converter = converter ?? null;
    this.#newId = newId ?? randomUUID;
    this.#limit = pLimit(concurrency ?? availableParallelism());
  }

  async createBatch(input: unknown, { signal }: CreateBatchOptions = {}): Promise<Batch> {
    this.#refuseWhenClosing();
    const request = isStreamed(input) ? parseStreamedBatchRequest(input) : parseBatchRequest(input);
    if (request.output_type === "pdf" && this.#converter === null) {
      throw new QuireError(
        "unavailable",
        "The request asks for PDF, and the engine has no converter. Give createEngine a converter, for example libreOffice() of @quire/pdf-libreoffice.",
      );
    }
    const template = await this.#readTemplate(request, signal);
    const shared = await this.#shareNames(request, signal);
    this.#refuseWhenClosing();
    const entries = request.document_generation_data;
    const run = new BatchRun(this.#newId(), isStreamed(request) ? 0 : (entries as []).length);
    this.#batches.set(run.id, run);
    const work = this.#work({
      run,
      template: template.pinned,
      entries,
      streamed: isStreamed(request),
      context: {
        storage: this.#storage,
        converter: this.#converter,
        template: template.compiled,
        folder: request.destination_folder,
        names: await shared.names,
        outputType: request.output_type,
        onConflict: request.on_conflict ?? "rename",
        signal: AbortSignal.any([this.#stop.signal, ...(signal === undefined ? [] : [signal])]),
      },
    }).finally(() => {
      this.#running.delete(work);
      this.#releaseNames(request.destination_folder.id, shared);
    });
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
    await this.#converter?.close();
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
    { file, file_version }: Pick<BatchRequest, "file" | "file_version">,
    signal: AbortSignal | undefined,
  ): Promise<{ pinned: Job["template"]; compiled: WorkContext["template"] }> {
    const { bytes, version } = await this.#storage.read(file, {
      ...(file_version === undefined ? {} : { version: file_version.id }),
      ...(signal === undefined ? {} : { signal }),
    });
    const compiled = compileTemplate(bytes);
    // Whether it is wrong is told job by job; nobody else may be listening.
    compiled.catch(() => {});
    return { pinned: { ...file, version }, compiled };
  }

  async #shareNames(
    { destination_folder: folder }: Pick<BatchRequest, "destination_folder">,
    signal: AbortSignal | undefined,
  ): Promise<SharedNames> {
    const shared = this.#folders.get(folder.id) ?? {
      names: FolderNames.of(this.#storage, folder, signal),
      users: 0,
    };
    this.#folders.set(folder.id, shared);
    shared.users += 1;
    try {
      await shared.names;
    } catch (error) {
      this.#releaseNames(folder.id, shared);
      throw error;
    }
    return shared;
  }

  #releaseNames(folderId: string, shared: SharedNames): void {
    shared.users -= 1;
    if (shared.users === 0) this.#folders.delete(folderId);
  }

  /** Works through a batch, reading ahead of the documents in work by one round. Never rejects. */
  async #work(batch: AcceptedBatch): Promise<void> {
    const { run, context, streamed } = batch;
    const inWork = new Set<Promise<void>>();
    let failure: QuireError | null = null;
    let entry = 0;
    try {
      const entries = streamed ? untilAborted(batch.entries, context.signal) : batch.entries;
      for await (const input of entries) {
        entry += 1;
        if (streamed) run.submit();
        const job = this.#job(batch, entry, input).finally(() => inWork.delete(job));
        inWork.add(job);
        if (inWork.size >= 2 * this.#limit.concurrency) await Promise.race(inWork);
      }
    } catch (error) {
      failure = isQuireError(error)
        ? error
        : new QuireError("invalid_data", "The entries of the batch could not be read further.", {
            cause: error,
          });
    }
    await Promise.all(inWork);
    run.finish(failure);
  }

  /** One entry from its input to its end. The name is reserved at once, in the order of the entries. */
  async #job(batch: AcceptedBatch, entry: number, input: unknown): Promise<void> {
    const { run, context, template, streamed } = batch;
    const { outputType } = context;
    let requestedName: string | null = null;
    let make: () => Promise<Outcome>;
    try {
      if (isQuireError(input)) throw input;
      requestedName = nameOf(input);
      const parsed = streamed ? parseEntry(input, outputType) : (input as GenerationEntry);
      const file = withExtension(parsed.generated_file_name, outputType);
      const name = context.names.reserve(file, context.onConflict);
      make = () => makeDocument(context, parsed, name);
    } catch (error) {
      make = async () => failed(error);
    }
    await this.#limit(async () => {
      run.begin();
      const outcome = await make();
      run.end({
        id: this.#newId(),
        batchId: run.id,
        entry,
        requestedName,
        outputType,
        template,
        ...outcome,
      });
    });
  }
}

/** The name that an entry asks for, as far as it has one; the entry may be anything. */
function nameOf(input: unknown): string | null {
  const name = (input as { generated_file_name?: unknown } | null)?.generated_file_name;
  return typeof name === "string" ? name : null;
}
