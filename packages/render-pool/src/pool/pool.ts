import { abortedError, FairLine, type Sharer, throwIfAborted } from "@quire/contracts";
import type { RenderData } from "@quire/docx/internal/render/evaluate/context/scope";
import { closedError } from "../closed-error.ts";
import { openedPdf, openedTemplate } from "../opened.ts";
import type { DocumentTask } from "../protocol/document-task.ts";
import type {
  DocumentOptions,
  OpenOptions,
  OpenPdf,
  OpenTemplate,
  PdfReader,
  RenderedDocument,
  Renderer,
} from "../protocol/renderer.ts";
import { Blame } from "./blame.ts";
import type { InFlight } from "./in-flight.ts";
import { KeptChildren } from "./kept-children.ts";
import type { ChildEnd, ChildSupervisor, PoolChild } from "./pool-child.ts";
import { documentFailure, queueFull, startFailure } from "./pool-failures.ts";
import { type PoolSettings, parsePoolOptions, type RenderPoolOptions } from "./pool-options.ts";
import { announce, type PooledDocument } from "./pooled-document.ts";
import { type PooledTemplate, pooledTemplate } from "./pooled-template.ts";
import { startChild } from "./process-supervisor.ts";
import { processProgram } from "./start-process.ts";
import { type NextDocument, takeNext } from "./take-next.ts";

/**
 * Creates a renderer that works in child processes, for untrusted templates and data. Each process has a heap limit and
 * a memory limit, and each document has a deadline. A document that exceeds one of them fails without affecting others.
 * The first document starts the first process. Idle processes end after a while and do not keep the program running. If
 * the host ends, all processes end. Throws `invalid_request` for invalid options, and `unavailable` in a bundle.
 */
export function renderPool(options: RenderPoolOptions = {}): Renderer & PdfReader {
  processProgram(); // throws immediately in a bundle, instead of for each document
  return new RenderPool(parsePoolOptions(options));
}

/** Number of waiting documents per process that the pool starts, up to its maximum number of processes. */
const DOCUMENTS_PER_START = 5;

/** Pause in milliseconds after a failed start before the next one, if the pool has other processes. */
const START_PAUSE_MS = 1_000;

/**
 * Number of consecutive failed starts after which all waiting documents are rejected, unless the pool has other
 * processes.
 */
const MAX_FAILED_STARTS = 4;

/** A tenant keeps a process until it has used this much more time, in milliseconds, than a waiting tenant. */
const TURN_MS = 25;

/**
 * How long a tenant waits for other tenants' documents before the pool starts an additional process, in milliseconds.
 */
const PATIENCE_MS = 250;

class RenderPool implements Renderer, PdfReader, ChildSupervisor {
  readonly #settings: PoolSettings;
  readonly #line: FairLine<PooledDocument>;
  readonly #blame: Blame;
  readonly #accepted = new Set<Promise<unknown>>();
  readonly #children: KeptChildren;
  #failedStarts = 0;
  /** The time before which the pool starts no process for waiting documents if it has other processes. */
  #noStartBefore = 0;
  #readsAll = false;
  #isPumping = false;
  #nextLook: NodeJS.Timeout | null = null;
  #isClosed = false;
  #closing: Promise<void> | null = null;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
    this.#blame = new Blame(settings);
    this.#children = new KeptChildren(settings.idleMs);
    this.#line = new FairLine({
      places: settings.processes,
      turnMs: TURN_MS,
      patienceMs: PATIENCE_MS,
      keepSpareMs: settings.idleMs,
    });
  }

  open(bytes: Uint8Array, options: OpenOptions = {}): OpenTemplate {
    const template = pooledTemplate(bytes, options);
    return openedTemplate((task, data, asked) => this.#perform(task, template, data, asked));
  }

  openPdf(bytes: Uint8Array): OpenPdf {
    const pdf = pooledTemplate(bytes, {}, true);
    return openedPdf((task, data, options) => this.#perform(task, pdf, data, options));
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#accepted);
    await this.#children.close();
  }

  #bounded(options: DocumentOptions): PooledDocument["options"] {
    const { documentSteps, svgFonts } = this.#settings;
    return { ...options, svgFonts, limits: { steps: documentSteps, ...options.limits } };
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
    const settle = <T>(resolve: (value: T) => void): ((value: T) => void) => {
      return (value) => {
        document.isSettled = true;
        resolve(value);
      };
    };
    const document: PooledDocument = {
      task,
      template,
      sharer: template.sharer,
      data,
      options: this.#bounded(options),
      isAnnounced: false,
      isSettled: false,
      ends: 0,
      resolve: settle(resolve),
      reject: settle(reject),
    };
    const abort = (): void => {
      if (signal === undefined) return;
      document.reject(abortedError(signal));
      this.#line.remove(document);
      for (const child of this.#children) child.abandon(document);
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

  /** Distributes the waiting documents in the next tick, after all current calls have been accepted. */
  #schedule(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    process.nextTick(() => {
      this.#isPumping = false;
      this.#pump();
    });
  }

  #pump(): void {
    const take = (): NextDocument | null => takeNext(this.#line, this.#children);
    for (let next = take(); next !== null; next = take()) this.#give(next.child, next.document);
    if (this.#line.length > 0) this.#startForWaiting();
  }

  /** The current maximum number of processes. */
  get #maxChildren(): number {
    return this.#settings.processes + (this.#line.hasSpare ? 1 : 0);
  }

  /** Starts processes for the documents that will still be waiting when the current starts have finished. */
  #startForWaiting(): void {
    const dueMs = this.#line.spareDueMs();
    if (dueMs !== null) this.#lookAgain(dueMs);
    if (this.#children.size > 0 && performance.now() < this.#noStartBefore) return;
    const starting = [...this.#children].filter(({ isReady }) => !isReady).length;
    const wanted = Math.ceil(this.#line.length / DOCUMENTS_PER_START) - starting;
    const possible = this.#maxChildren - this.#children.size;
    for (let count = Math.min(wanted, possible); count > 0; count--) this.#start();
  }

  #lookAgain(afterMs: number): void {
    this.#nextLook ??= setTimeout(() => {
      this.#nextLook = null;
      this.#schedule();
    }, afterMs).unref();
  }

  #give(child: PoolChild, document: PooledDocument): void {
    const failure = this.#blame.failureOf(document.template);
    if (failure !== null) {
      document.reject(failure);
      return;
    }
    if (announce(document, () => this.#putBack([document]))) return;
    this.#children.wake(child);
    child.give(document);
    if (child.load === 0) this.#children.rest(child);
  }

  #start(): PoolChild {
    const child = startChild(this.#settings, this, this.#readsAll);
    this.#children.add(child);
    return child;
  }

  onProgress(child: PoolChild): void {
    this.#failedStarts = 0;
    if (this.#children.has(child) && child.load === 0) {
      if (child.isSpent) this.#children.dismiss(child);
      else this.#children.rest(child);
    }
    this.#schedule();
  }

  onIncluded(template: PooledTemplate): void {
    template.failure = this.#blame.failureOf(template);
    if (template.failure !== null) throw template.failure;
  }

  onCompiled(template: PooledTemplate): void {
    this.#blame.compiled(template);
  }

  onBegun(sharer: Sharer): void {
    this.#line.begin(sharer);
  }

  onOver(sharer: Sharer): void {
    this.#line.end(sharer);
  }

  isAwaited(sharer: Sharer): boolean {
    return this.#line.isAwaited(sharer);
  }

  onStalled(child: PoolChild): void {
    this.#putBack(child.withdraw());
  }

  /** Moves documents that no process has started back to the front of the queue. */
  #putBack(documents: readonly PooledDocument[]): void {
    for (const document of documents.toReversed()) this.#line.addFirst(document);
    this.#schedule();
  }

  onEnd(child: PoolChild, end: ChildEnd): void {
    this.#children.forget(child);
    if (!end.wasReady) {
      this.#onFailedStart(end);
      return;
    }
    this.#putBack(end.behind);
    if (end.current !== null) this.#onWorkEnd(end, end.current);
  }

  /** Handles the work that was in progress when a process ended. */
  #onWorkEnd(end: ChildEnd, work: InFlight): void {
    const { document, held, isWithdrawn } = work;
    if (end.reason === "preempted") this.#onPreempted(end, work);
    else if (document === null) this.#blame.templateEnded(end, held.owner);
    else if (this.#blame.documentEnded(end, document) && !isWithdrawn)
      this.#give(this.#start(), document);
  }

  /**
   * Rejects the document that was running. If a compilation was running, rejects all preemptible documents that waited
   * for it.
   */
  #onPreempted(end: ChildEnd, { document, held }: InFlight): void {
    const { sharer } = held.owner;
    const waiting = document === null ? [...this.#line.sameFlow({ sharer })] : [document];
    for (const each of waiting) {
      if (each.options.preemptible !== true) continue;
      this.#line.remove(each);
      each.reject(documentFailure(end, this.#settings, each.task));
    }
  }

  #onFailedStart(end: ChildEnd): void {
    this.#failedStarts += 1;
    this.#noStartBefore = performance.now() + START_PAUSE_MS;
    if (!this.#readsAll && end.printed.includes("ERR_ACCESS_DENIED")) {
      // The program is outside the readable folders, as with some package managers.
      this.#readsAll = true;
      this.#failedStarts = 0;
    }
    if (this.#failedStarts < MAX_FAILED_STARTS && end.reason !== "timeout") {
      this.#putBack(end.behind);
      return;
    }
    const failure = startFailure(end);
    for (const document of end.behind) document.reject(failure);
    if (this.#children.size > 0) return;
    for (const document of [...this.#line.all()]) {
      this.#line.remove(document);
      document.reject(failure);
    }
    this.#failedStarts = 0;
  }
}
