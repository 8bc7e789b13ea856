import { type Sharer, setLongWork } from "@quire/contracts";
import { encodeData } from "../protocol/document-data.ts";
import { type Frame, ownBytes } from "../protocol/frames.ts";
import {
  type CompiledHead,
  FROM_PROCESS,
  type RenderedHead,
  TO_PROCESS,
} from "../protocol/messages.ts";
import { answerQuestion } from "./answer-question.ts";
import { type CurrentWork, DeadlineWatch } from "./deadline-watch.ts";
import { type HeldTemplate, type HeldTemplates, heldTemplates } from "./held-templates.ts";
import { errorOf, type InFlight, inFlight, isPreemptible, sharerOf } from "./in-flight.ts";
import { Pace } from "./pace.ts";
import type { ChildSettings, ChildSupervisor, PoolChild } from "./pool-child.ts";
import type { ProcessEnd } from "./pool-failures.ts";
import { documentHead, type PooledDocument } from "./pooled-document.ts";
import { type PooledTemplate, templateHead } from "./pooled-template.ts";
import { type ProcessLink, startLink } from "./process-link.ts";

/** Approximate limit in bytes for the data of the documents that a child holds. */
const MAX_AHEAD_BYTES = 1_000_000;

const MAX_HELD_BYTES = 64_000_000;

/** Starts a process. It accepts documents even before it is ready. */
export function startChild(
  settings: ChildSettings,
  supervisor: ChildSupervisor,
  readsAll: boolean,
): PoolChild {
  return new ProcessSupervisor(settings, supervisor, readsAll);
}

class ProcessSupervisor implements PoolChild {
  readonly #settings: ChildSettings;
  readonly #supervisor: ChildSupervisor;
  readonly #link: ProcessLink;
  readonly #held: HeldTemplates;
  #inFlight: InFlight[] = [];
  #load = 0;
  #bytes = 0;
  #lastId = 0;
  #given = 0;
  #done = 0;
  #isReady = false;
  #isTired = false;
  /** When the work on the first item in flight began. */
  #begun = performance.now();
  readonly #pace = new Pace(this.#begun);
  /** The owner of the current work. */
  #sharer: Sharer | null = null;
  #isSlow = false;
  /** The work that the pool interrupted by killing the process, because other documents were waiting. */
  #preempted: InFlight | null = null;
  readonly #watch: DeadlineWatch;

  constructor(settings: ChildSettings, supervisor: ChildSupervisor, readsAll: boolean) {
    this.#settings = settings;
    this.#supervisor = supervisor;
    this.#held = heldTemplates(settings.cachedTemplates, MAX_HELD_BYTES);
    const current = (): CurrentWork => ({
      isReady: this.#isReady,
      inFlight: this.#inFlight,
      begun: this.#begun,
    });
    this.#watch = new DeadlineWatch(settings, current, {
      onLate: () => this.#link.kill("timeout"),
      onSlow: (item) => this.#setSlow(sharerOf(item).tenant !== ""),
      onLong: (item) => this.#preempt(item),
      onStalled: () => supervisor.onStalled(this),
    });
    this.#watch.start();
    this.#link = startLink(
      { ...settings, readsAll },
      {
        onFrame: (frame) => this.#receive(frame),
        onChunk: () => this.#progress(),
        onTired: () => {
          this.#isTired = true;
          supervisor.onProgress(this);
        },
        onEnd: (end) => this.#end(end),
      },
    );
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  get load(): number {
    return this.#load;
  }

  get sharer(): Sharer | null {
    return this.#sharer;
  }

  get isSpent(): boolean {
    return this.#isTired || this.#given >= this.#settings.documentsPerProcess;
  }

  hasCompiled(template: PooledTemplate): boolean {
    return this.#held.hasCompiled(template);
  }

  hasRoom(): boolean {
    if (!this.#isReady || this.isSpent || this.#bytes >= MAX_AHEAD_BYTES) return false;
    return this.#pace.hasRoom(this.#load);
  }

  give(document: PooledDocument): void {
    const { template, data } = document;
    let encoded: ReturnType<typeof encodeData>;
    try {
      encoded = encodeData(data);
    } catch (error) {
      document.reject(error);
      return;
    }
    const held = this.#held.find(template) ?? this.#send(template);
    const head = documentHead(document, held.id, encoded.encoding);
    this.#lastId += 1;
    this.#given += 1;
    this.#load += 1;
    this.#bytes += encoded.bytes.length;
    this.#push(inFlight(this.#lastId, held, document, encoded.bytes.length));
    this.#link.send(TO_PROCESS.document, this.#lastId, head, encoded.bytes);
  }

  #send(template: PooledTemplate): HeldTemplate {
    const { held, forgotten } = this.#held.add(template);
    for (const id of forgotten) this.#link.send(TO_PROCESS.forget, id, null);
    this.#push(inFlight(held.id, held, null, 0));
    this.#link.send(TO_PROCESS.template, held.id, templateHead(template), template.bytes);
    return held;
  }

  #push(item: InFlight): void {
    this.#inFlight.push(item);
    if (this.#inFlight.length > 1) return;
    this.#begun = performance.now();
    this.#pace.goOn(this.#begun);
    this.#watch.start();
    this.#reportTurn();
  }

  /** Reports the beginning of new work and the end of the previous work to the supervisor. */
  #reportTurn(): void {
    const [item] = this.#inFlight;
    const over = this.#sharer;
    this.#setSlow(false);
    this.#sharer = item === undefined ? null : sharerOf(item);
    // The beginning is reported first, so that a tenant with more work does not lose its turn.
    if (this.#sharer !== null) this.#supervisor.onBegun(this.#sharer);
    if (over !== null) this.#supervisor.onOver(over);
  }

  withdraw(): PooledDocument[] {
    const taken: PooledDocument[] = [];
    const [current, ...behind] = this.#inFlight;
    for (const item of behind) {
      if (item.document === null || item.isWithdrawn) continue;
      // Another process would also have to compile the template.
      if (current?.document === null && item.held === current.held) continue;
      this.#skip(item);
      if (!item.document.isSettled) taken.push(item.document);
    }
    return taken;
  }

  abandon(document: PooledDocument): void {
    const item = this.#inFlight.slice(1).find((each) => each.document === document);
    if (item !== undefined && !item.isWithdrawn) this.#skip(item);
  }

  #skip(item: InFlight): void {
    item.isWithdrawn = true;
    this.#link.send(TO_PROCESS.skip, item.id, null);
  }

  stop(): Promise<void> {
    this.#link.kill("crash");
    return this.#link.ended;
  }

  #receive({ kind, id, head, body }: Frame): void {
    this.#watch.alive();
    if (kind === FROM_PROCESS.ready) {
      this.#isReady = true;
      this.#begun = performance.now();
      this.#pace.goOn(this.#begun);
      return;
    }
    const [item] = this.#inFlight;
    if (item === undefined)
      throw new Error("The rendering process sent a frame with no request pending.");
    if (kind === FROM_PROCESS.question) {
      answerQuestion({ id, ...JSON.parse(head) }, item, this.#held, this.#link, this.#supervisor);
    } else {
      const isDocument = kind === FROM_PROCESS.rendered;
      if (item.id !== id || (item.document !== null) !== isDocument) {
        throw new Error("The rendering process answered a different request.");
      }
      const message = head === "" ? {} : JSON.parse(head);
      if (isDocument) this.#onRendered(item, message, body);
      else this.#onCompiled(item, message);
      this.#inFlight.shift();
      this.#begun = performance.now();
      this.#reportTurn();
    }
  }

  #onCompiled(item: InFlight, { error }: CompiledHead): void {
    this.#pace.goOn(performance.now());
    const { held } = item;
    if (error === undefined) {
      held.isCompiled = true;
      this.#supervisor.onCompiled(held.owner);
    } else held.owner.failure ??= errorOf(item, error);
  }

  #onRendered(
    item: InFlight,
    { error, warnings, pages, nothing }: RenderedHead,
    body: Buffer,
  ): void {
    this.#load -= 1;
    this.#bytes -= item.size;
    this.#done += 1;
    this.#pace.done();
    const { document, held } = item;
    if (nothing === "skipped") return;
    if (nothing === "not compiled") document?.reject(held.owner.failure);
    else if (error !== undefined) document?.reject(errorOf(item, error));
    else {
      const count = pages === undefined ? {} : { pages };
      document?.resolve({ bytes: ownBytes(body), warnings: warnings ?? [], ...count });
    }
  }

  #progress(): void {
    this.#pace.look(performance.now());
    if (this.#inFlight.length === 0) this.#watch.stop();
    this.#supervisor.onProgress(this);
  }

  /** Lowers the priority of the process while slow work of a tenant runs, and restores it afterwards. */
  #setSlow(isSlow: boolean): void {
    if (this.#isSlow === isSlow) return;
    this.#isSlow = isSlow;
    setLongWork([this.#link.pid], isSlow);
  }

  #preempt(item: InFlight): void {
    if (!isPreemptible(item, this.#inFlight) || !this.#supervisor.isAwaited(sharerOf(item))) return;
    this.#preempted = item;
    this.#link.kill("preempted");
  }

  #end(end: ProcessEnd): void {
    this.#watch.stop();
    const [first = null] = this.#inFlight;
    // The process may have begun other work before it was killed. If so, another process repeats that work.
    const isOther = end.reason === "preempted" && first !== this.#preempted;
    const current = this.#isReady && !isOther ? first : null;
    const behind = (current === null ? this.#inFlight : this.#inFlight.slice(1)).flatMap(
      ({ document, isWithdrawn }) =>
        document === null || isWithdrawn || document.isSettled ? [] : [document],
    );
    this.#inFlight = [];
    this.#reportTurn();
    this.#load = 0;
    this.#isTired = true;
    this.#supervisor.onEnd(this, {
      ...end,
      wasReady: this.#isReady,
      current,
      wasFirst: this.#done === 0,
      behind,
    });
  }
}
