import {
  type BatchRecord,
  type FileInfo,
  type JobStore,
  type JobWorker,
  type PdfOptions,
  QuireError,
  type Storage,
} from "@quire/contracts";
import type { OpenTemplate, Renderer } from "@quire/render-pool/internal/protocol/renderer";
import { pdfOptionsOf } from "../batch/pdf-request.ts";
import type { BatchRequest } from "../batch/request.ts";

/**
 * Maximum number of batches whose templates are kept open. Beyond that, the least recently used are closed and opened
 * again on demand.
 */
const MAX_OPEN = 64;

/** The expected length of the first document of a batch, in bytes. */
const FIRST_EXPECTED_BYTES = 100_000;

/** Returns the storage of a tenant. */
export type StorageOf = (tenant: string) => Storage;

/** The inputs that all documents of a batch share. */
export interface BatchSource {
  readonly batch: BatchRecord;
  /** The storage of the batch's tenant. */
  readonly storage: Storage;
  readonly settings: Omit<BatchRequest, "document_generation_data">;
  readonly template: OpenTemplate;
  readonly pdf: PdfOptions | undefined;
  /** The expected length of the next document, in bytes. */
  expectedBytes: number;
  readonly isCancelled: boolean;
  /** Aborted when the batch is cancelled or `stop` is aborted. */
  signalWith(stop: AbortSignal): AbortSignal;
}

/** Opens batches with the templates that were pinned when they were accepted. */
export class BatchSources {
  readonly #jobs: JobStore;
  readonly #storageOf: StorageOf;
  readonly #renderer: Renderer;
  readonly #open = new Map<string, Promise<OpenSource>>();

  constructor(jobs: JobStore, storageOf: StorageOf, renderer: Renderer) {
    this.#jobs = jobs;
    this.#storageOf = storageOf;
    this.#renderer = renderer;
  }

  /** Returns the inputs of a batch. Rejects `not_found` if the batch no longer exists. */
  async of(batchId: string, worker: JobWorker): Promise<BatchSource> {
    const source = this.#open.get(batchId) ?? this.#openBatch(batchId, worker);
    // The map is in order of use, the most recent batch last.
    this.#open.delete(batchId);
    this.#open.set(batchId, source);
    for (const [id] of this.#open) {
      if (this.#open.size <= MAX_OPEN) break;
      this.#open.delete(id);
    }
    try {
      return await source;
    } catch (error) {
      if (this.#open.get(batchId) === source) this.#open.delete(batchId);
      throw error;
    }
  }

  /** Forgets a batch that has ended or may have changed. */
  close(batchId: string): void {
    this.#open.delete(batchId);
  }

  /** Forgets all batches, because their inputs may be incomplete. */
  clear(): void {
    this.#open.clear();
  }

  /** Cancels a batch's jobs in progress. */
  async cancel(batchId: string): Promise<void> {
    const source = await this.#open.get(batchId)?.catch(() => null);
    source?.cancel();
    this.close(batchId);
  }

  async #openBatch(batchId: string, worker: JobWorker): Promise<OpenSource> {
    const batch = await this.#jobs.getBatch(batchId);
    if (batch === null) {
      throw new QuireError("not_found", `There is no batch ${JSON.stringify(batchId)}.`);
    }
    const settings = JSON.parse(batch.settings) as BatchSource["settings"];
    const storage = this.#storageOf(batch.tenant);
    const read = templateReader(storage);
    const pinned = (id: string): Promise<Uint8Array> => worker.pinned(batchId, id, () => read(id));
    const readAgain = (): Promise<Uint8Array> => pinned(batch.template.id);
    const template = this.#renderer.open(await readAgain(), {
      tenant: batch.tenant,
      delimiters: settings.delimiters,
      readTemplate: pinned,
      readAgain,
      weight: batch.weight,
    });
    const source = new OpenSource(batch, storage, settings, template);
    if (batch.cancelled) {
      source.cancel();
      // Another engine may retry the batch without notifying this one.
      this.#open.delete(batchId);
    }
    return source;
  }
}

/** Returns a function that reads the templates that a template includes, by their ids in the same storage. */
export function templateReader(storage: Storage): (id: string) => Promise<Uint8Array> {
  return async (id) => (await storage.read({ type: "file", id })).bytes;
}

/** Returns a function that reads the same version of a file again. */
export function sameVersion(
  storage: Storage,
  { ref, version }: Pick<FileInfo, "ref" | "version">,
): () => Promise<Uint8Array> {
  return async () => (await storage.read(ref, { version })).bytes;
}

class OpenSource implements BatchSource {
  readonly batch: BatchRecord;
  readonly storage: Storage;
  readonly settings: BatchSource["settings"];
  readonly template: OpenTemplate;
  readonly pdf: PdfOptions | undefined;
  expectedBytes = FIRST_EXPECTED_BYTES;
  readonly #cancelled = new AbortController();
  #signal: { readonly stop: AbortSignal; readonly joined: AbortSignal } | null = null;

  constructor(
    batch: BatchRecord,
    storage: Storage,
    settings: BatchSource["settings"],
    template: OpenTemplate,
  ) {
    this.batch = batch;
    this.storage = storage;
    this.settings = settings;
    this.template = template;
    this.pdf = settings.pdf && pdfOptionsOf(settings.pdf);
  }

  get isCancelled(): boolean {
    return this.#cancelled.signal.aborted;
  }

  cancel(): void {
    this.#cancelled.abort(new Error("The batch was cancelled."));
  }

  signalWith(stop: AbortSignal): AbortSignal {
    if (this.#signal?.stop !== stop) {
      this.#signal = { stop, joined: AbortSignal.any([stop, this.#cancelled.signal]) };
    }
    return this.#signal.joined;
  }
}
