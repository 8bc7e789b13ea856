import type { RenderData } from "../docx/program/scope.ts";
import { abortedError, throwIfAborted } from "../errors.ts";
import { closedError } from "./closed-error.ts";
import { type DocumentTask, readFacts } from "./document-task.ts";
import { openPdf } from "./open-pdf.ts";
import { poisonousTemplates } from "./poisonous-templates.ts";
import type { ChildEnd, ChildKeeper, PoolChild } from "./pool-child.ts";
import { documentFailure, queueFull, startFailure, templateFailure } from "./pool-failures.ts";
import { type PoolSettings, parsePoolOptions, type RenderPoolOptions } from "./pool-options.ts";
import type { PooledDocument } from "./pooled-document.ts";
import { type PooledTemplate, pooledTemplate } from "./pooled-template.ts";
import { startChild } from "./process-keeper.ts";
import type {
  DocumentOptions,
  OpenOptions,
  OpenPdf,
  OpenTemplate,
  PdfReader,
  RenderedDocument,
  Renderer,
} from "./renderer.ts";
import { waitingLine } from "./waiting-line.ts";

/**
 * A renderer in child processes, for templates and data of anybody: each process has a heap and a memory
 * limit, each document a deadline, and what exceeds them fails alone. Starts nothing before the first
 * document; idle processes end after a while and keep nothing running. When the host dies, they end as
 * well. Throws `invalid_request` for options that make no sense.
 */
export function renderPool(options: RenderPoolOptions = {}): Renderer & PdfReader {
  return new RenderPool(parsePoolOptions(options));
}

/** One more process is started for so many documents that wait. */
const DOCUMENTS_PER_START = 5;

/** When one has not come up, there is a pause before the next one, if there are others. */
const START_PAUSE_MS = 1_000;

/** So many processes in a row that do not come up are taken for all that would follow. */
const MAX_FAILED_STARTS = 4;

/** What has ended so many processes is taken for the cause; what was known to be sound, only then. */
const MAX_ENDS = 2;
const MAX_ACCIDENTS = 5;

class RenderPool implements Renderer, PdfReader, ChildKeeper {
  readonly #settings: PoolSettings;
  readonly #line = waitingLine();
  readonly #poisonous = poisonousTemplates();
  readonly #accepted = new Set<Promise<unknown>>();
  /** With the timer that ends it, while it is idle. */
  readonly #children = new Map<PoolChild, NodeJS.Timeout | null>();
  readonly #ending = new Set<Promise<void>>();
  #failedStarts = 0;
  /** Until then those that are up do what there is to do. */
  #noStartBefore = 0;
  #readsAll = false;
  #isPumping = false;
  #isClosed = false;
  #closing: Promise<void> | null = null;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
  }

  open(bytes: Uint8Array, options: OpenOptions = {}): OpenTemplate {
    const template = pooledTemplate(bytes, options);
    return {
      render: (data, documentOptions) => this.#perform("render", template, data, documentOptions),
      check: async (data, documentOptions) => {
        const checked = await this.#perform("check", template, data, documentOptions);
        const { bytes: _, ...told } = checked;
        return told;
      },
      inspect: async (documentOptions) =>
        readFacts(await this.#perform("inspect", template, {}, documentOptions)),
    };
  }

  openPdf(bytes: Uint8Array): OpenPdf {
    const pdf = pooledTemplate(bytes, {}, true);
    return openPdf((task, data, options) => this.#perform(task, pdf, data, options));
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#accepted);
    for (const child of this.#children.keys()) this.#dismiss(child);
    await Promise.all(this.#ending);
  }

  async #perform(
    task: DocumentTask,
    template: PooledTemplate,
    data: RenderData | Uint8Array,
    options: DocumentOptions = {},
  ): Promise<RenderedDocument> {
    const { signal } = options;
    throwIfAborted(signal);
    if (this.#isClosed) throw closedError("renderPool");
    if (this.#line.length >= this.#settings.maxWaiting) throw queueFull(this.#settings.maxWaiting);
    const { promise, resolve, reject } = Promise.withResolvers<RenderedDocument>();
    const settle = <T>(tell: (value: T) => void): ((value: T) => void) => {
      return (value) => {
        document.isSettled = true;
        tell(value);
      };
    };
    const document: PooledDocument = {
      task,
      template,
      data,
      options,
      isSettled: false,
      ends: 0,
      resolve: settle(resolve),
      reject: settle(reject),
    };
    const abort = (): void => {
      if (signal === undefined) return;
      document.reject(abortedError(signal));
      for (const child of this.#children.keys()) child.abandon(document);
    };
    signal?.addEventListener("abort", abort);
    this.#accepted.add(promise);
    this.#line.add(document);
    this.#schedule();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener("abort", abort);
      this.#accepted.delete(promise);
    }
  }

  /** Gives out what waits, once everything that is to be accepted now has been. */
  #schedule(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    process.nextTick(() => {
      this.#isPumping = false;
      this.#pump();
    });
  }

  #pump(): void {
    for (let child = this.#childWithRoom(); child !== null; child = this.#childWithRoom()) {
      const document = this.#line.take();
      if (document === null) return;
      this.#give(child, document);
    }
    this.#startForWaiting();
  }

  /** What is waiting soon has a process that is up already: a new one is for what will go on waiting. */
  #startForWaiting(): void {
    if (this.#children.size > 0 && performance.now() < this.#noStartBefore) return;
    const starting = [...this.#children.keys()].filter(({ isReady }) => !isReady).length;
    const wanted = Math.ceil(this.#line.length / DOCUMENTS_PER_START) - starting;
    const possible = this.#settings.processes - this.#children.size;
    for (let count = Math.min(wanted, possible); count > 0; count--) this.#start();
  }

  #give(child: PoolChild, document: PooledDocument): void {
    const { template } = document;
    const failure = template.failure ?? this.#poisonous.failureOf(template);
    if (failure !== null) {
      document.reject(failure);
      return;
    }
    const idle = this.#children.get(child);
    if (idle) clearTimeout(idle);
    this.#children.set(child, null);
    child.give(document);
    if (child.load === 0) this.#rest(child);
  }

  /** The child with the least to do; null when all have enough. */
  #childWithRoom(): PoolChild | null {
    let best: PoolChild | null = null;
    for (const child of this.#children.keys()) {
      if (child.hasRoom() && (best === null || child.load < best.load)) best = child;
    }
    return best;
  }

  #start(): PoolChild {
    const child = startChild(this.#settings, this, this.#readsAll);
    this.#children.set(child, null);
    return child;
  }

  /** A child without work ends after a while, which keeps nothing running. */
  #rest(child: PoolChild): void {
    const idle = this.#children.get(child);
    if (idle) clearTimeout(idle);
    this.#children.set(
      child,
      setTimeout(() => this.#dismiss(child), this.#settings.idleMs).unref(),
    );
  }

  #dismiss(child: PoolChild): void {
    const idle = this.#children.get(child);
    if (idle) clearTimeout(idle);
    this.#children.delete(child);
    const ending = child.stop().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  onProgress(child: PoolChild): void {
    this.#failedStarts = 0;
    if (this.#children.has(child) && child.load === 0) {
      if (child.isSpent) this.#dismiss(child);
      else this.#rest(child);
    }
    this.#schedule();
  }

  onIncluded(template: PooledTemplate): void {
    template.failure ??= this.#poisonous.failureOf(template);
    if (template.failure !== null) throw template.failure;
  }

  onCompiled(template: PooledTemplate): void {
    template.wasCompiled = true;
    template.ends = 0;
    this.#poisonous.compiled(template);
  }

  onStalled(child: PoolChild): void {
    const isElsewhereRoom =
      this.#children.size < this.#settings.processes ||
      [...this.#children.keys()].some((other) => other !== child && other.hasRoom());
    if (!isElsewhereRoom) return;
    this.#line.addFirst(child.withdraw());
    this.#schedule();
  }

  onEnd(child: PoolChild, end: ChildEnd): void {
    const idle = this.#children.get(child);
    if (idle) clearTimeout(idle);
    this.#children.delete(child);
    if (!end.wasReady) {
      this.#onFailedStart(end);
      return;
    }
    this.#line.addFirst(end.behind);
    const { current } = end;
    if (current !== null && current.document === null) this.#onTemplateEnd(end, current.held.owner);
    else if (current?.document) this.#onDocumentEnd(end, current.document, current.isWithdrawn);
    this.#schedule();
  }

  #onFailedStart(end: ChildEnd): void {
    this.#failedStarts += 1;
    this.#noStartBefore = performance.now() + START_PAUSE_MS;
    if (!this.#readsAll && end.printed.includes("ERR_ACCESS_DENIED")) {
      // Its program lies elsewhere, as some package managers have it.
      this.#readsAll = true;
      this.#failedStarts = 0;
    }
    if (this.#failedStarts < MAX_FAILED_STARTS && end.reason !== "timeout") {
      this.#line.addFirst(end.behind);
      this.#schedule();
      return;
    }
    const failure = startFailure(end);
    for (const document of end.behind) document.reject(failure);
    if (this.#children.size > 0) return;
    for (let next = this.#line.take(); next !== null; next = this.#line.take()) {
      next.reject(failure);
    }
    this.#failedStarts = 0;
  }

  #onTemplateEnd(end: ChildEnd, template: PooledTemplate): void {
    template.ends += 1;
    const isFinal = isToBlame(end, template.ends, template.wasCompiled ? MAX_ACCIDENTS : MAX_ENDS);
    const failure = templateFailure(end, this.#settings);
    if (isFinal) template.failure = failure;
    if (!template.wasCompiled) this.#poisonous.ended(template, failure);
  }

  /** A document is tried again where nothing was done before that it could suffer from. */
  #onDocumentEnd(end: ChildEnd, document: PooledDocument, isWithdrawn: boolean): void {
    document.ends += 1;
    if (document.isSettled) return;
    if (isToBlame(end, document.ends, MAX_ENDS))
      document.reject(documentFailure(end, this.#settings, document.task));
    else if (!isWithdrawn) this.#give(this.#start(), document);
  }
}

/** Whether what a process was busy with when it ended is to blame for that. */
function isToBlame({ reason, wasFirst }: ChildEnd, ends: number, maxEnds: number): boolean {
  return reason === "timeout" || ends >= maxEnds || (reason === "memory" && wasFirst);
}
