import { availableParallelism } from "node:os";
import { pdfOptionsOf } from "../batch/pdf-request.ts";
import type { BatchRequest } from "../batch/request.ts";
import { QuireError } from "../errors.ts";
import type { PdfOptions } from "../ports/converter.ts";
import type { BatchRecord } from "../ports/job-records.ts";
import type { JobStore } from "../ports/job-store.ts";
import type { JobWorker } from "../ports/job-worker.ts";
import type { FileInfo, Storage } from "../ports/storage.ts";
import type { OpenTemplate, Renderer } from "../renderer/renderer.ts";

/** Batches whose templates are kept open: of more, those that were not used for the longest are opened again. */
const MAX_OPEN = 64;

/** Where the files of a tenant are. */
export type StorageOf = (tenant: string) => Storage;

/** What all documents of a batch are made from. */
export interface BatchSource {
  readonly batch: BatchRecord;
  /** Of the batch's tenant. */
  readonly storage: Storage;
  readonly settings: Omit<BatchRequest, "document_generation_data">;
  readonly template: OpenTemplate;
  readonly pdf: PdfOptions | undefined;
  /** How long the next document is expected to be, in bytes. */
  expectedBytes: number;
  readonly isCancelled: boolean;
  /** Aborted when the batch is cancelled, or with the other one. */
  signalWith(stop: AbortSignal): AbortSignal;
}

/** Opens batches: their template as it was when they were accepted. */
export class BatchSources {
  readonly #jobs: JobStore;
  readonly #storageOf: StorageOf;
  readonly #renderer: Renderer;
  readonly #firstExpectedBytes: number;
  readonly #open = new Map<string, Promise<OpenSource>>();

  /** `maxRenderedBytes` is for each batch. Until one document is rendered, any may be long, so only a few start. */
  constructor(jobs: JobStore, storageOf: StorageOf, renderer: Renderer, maxRenderedBytes: number) {
    this.#jobs = jobs;
    this.#storageOf = storageOf;
    this.#renderer = renderer;
    this.#firstExpectedBytes = Math.ceil(maxRenderedBytes / (2 * availableParallelism()));
  }

  /** What a batch is made from. Rejects `not_found` when it is not there any more. */
  async of(batchId: string, worker: JobWorker): Promise<BatchSource> {
    const source = this.#open.get(batchId) ?? this.#openBatch(batchId, worker);
    // Those that were used last stand last.
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

  /** The batch has ended, or may be other than it was. */
  close(batchId: string): void {
    this.#open.delete(batchId);
  }

  /** What is open may be incomplete. */
  clear(): void {
    this.#open.clear();
  }

  /** Gives up what is in work of a batch. */
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
    const source = new OpenSource(batch, storage, settings, template, this.#firstExpectedBytes);
    if (batch.cancelled) {
      source.cancel();
      // It may be tried again by another engine, which tells this one nothing.
      this.#open.delete(batchId);
    }
    return source;
  }
}

/** Reads what a template includes: it names the id of a file in the same storage. */
export function templateReader(storage: Storage): (id: string) => Promise<Uint8Array> {
  return async (id) => (await storage.read({ type: "file", id })).bytes;
}

/** Reads the same version of a file again. */
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
  expectedBytes: number;
  readonly #cancelled = new AbortController();
  #signal: { readonly stop: AbortSignal; readonly joined: AbortSignal } | null = null;

  constructor(
    batch: BatchRecord,
    storage: Storage,
    settings: BatchSource["settings"],
    template: OpenTemplate,
    expectedBytes: number,
  ) {
    this.batch = batch;
    this.storage = storage;
    this.settings = settings;
    this.template = template;
    this.pdf = settings.pdf && pdfOptionsOf(settings.pdf);
    this.expectedBytes = expectedBytes;
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
