import { type ConverterSeal, isQuireError } from "@quire/contracts";
import type { DocumentReply, LaneMode } from "../process/messages.ts";
import { CrashStrikes } from "./crash-strikes.ts";
import {
  closedError,
  conversionTimeout,
  lanesLost,
  NO_REPLY,
  notSent,
  notStarted,
  refusedForGood,
} from "./failures.ts";
import { JoinPlan } from "./join-plan.ts";
import { type Lane, type LaneEnd, LaneFailure } from "./lane.ts";
import { LaneStarter, type StarterOptions } from "./lane-starter.ts";
import { Preemption } from "./preemption.ts";
import { emptySlot, isFree, type Slot } from "./slot.ts";
import type { Task } from "./task.ts";
import { type Waiting, WaitingLine } from "./waiting-line.ts";

/** Limits and settings of the pool. */
export interface PoolOptions extends StarterOptions {
  readonly lanes: number;
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
  /** A lane is replaced after this many documents, or when its LibreOffice uses this much memory. */
  readonly recycleAfter: number;
  readonly recycleMemoryMb: number;
  /** How long a preemptible document may take while others wait. */
  readonly preemptAfterMs: number;
  readonly fonts: "off" | "warn" | "strict";
  readonly join: "auto" | "off";
  readonly onReplaced: (reason: LaneEnd | "worn") => void;
}

/** How long a slot remains empty after a failed start while other lanes run. */
const START_AGAIN_MS = 10_000;

/** A document that was in this many lost lanes is not retried. */
const MAX_LOST = 4;

/** Counting more documents of a group would not change the number of documents that a lane gets. */
const MAX_COUNTED = 1_000;

/**
 * Manages the lanes and the documents that wait for them. If a lane ends while it converts a document, the document
 * is retried once, alone in another lane. If that lane also ends, the document is refused permanently. A document that
 * exceeds the deadline is rejected with `timeout`. Ended lanes are restarted. Lanes that have grown too large keep
 * working until their replacement is ready.
 */
export class LanePool {
  readonly #options: PoolOptions;
  readonly #slots: Slot[];
  readonly #line: WaitingLine;
  readonly #strikes = new CrashStrikes();
  readonly #joins: JoinPlan;
  readonly #running = new Set<Promise<void>>();
  readonly #starter: LaneStarter;
  readonly #closing = new AbortController();
  /** Reported by the last lane that started. */
  fonts: string | null = null;
  version: string | null = null;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#line = new WaitingLine(options);
    this.#joins = new JoinPlan(options.join === "auto");
    this.#starter = new LaneStarter(options, this.#closing.signal);
    this.#slots = Array.from({ length: options.lanes }, emptySlot);
  }

  /** The state of the seal; null until a lane has started. */
  get seal(): ConverterSeal | null {
    return this.#starter.seal;
  }

  /** The mode: `warm` unless it was found not to work. */
  get mode(): LaneMode {
    return this.#starter.mode;
  }

  /** Starts all missing lanes. Failures are reported to the documents that wait for a lane. */
  warmUp(): void {
    for (const slot of this.#slots) this.#ensureLane(slot);
  }

  add(task: Task): void {
    if (this.#closing.signal.aborted) task.reject(closedError());
    else if (this.#strikes.refuses(task.hash)) task.reject(refusedForGood());
    else this.#line.add(task, this.#slots.some(isFree));
    this.#dispatch();
  }

  /** Rejects new and waiting documents, and waits for running conversions. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#line.rejectAll(closedError());
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
    const lanes = this.#slots.flatMap(({ lane, successor }) => [lane, successor]);
    await Promise.all(lanes.map((lane) => lane?.stop()));
    await this.#starter.close();
  }

  #dispatch(): void {
    for (const slot of this.#slots) {
      if (this.#line.size === 0) return;
      if (slot.busy) continue;
      if (slot.lane?.alive !== true) this.#ensureLane(slot);
      else this.#work(slot, slot.lane);
    }
  }

  #work(slot: Slot, lane: Lane): void {
    const tasks = this.#take();
    const [first] = tasks;
    if (first === undefined) return;
    slot.busy = true;
    slot.laneUse = this.#line.begin(first.sharer, tasks.length);
    const work = this.#convert(lane, tasks).finally(() => {
      this.#running.delete(work);
      slot.busy = false;
      this.#settle(slot);
      this.#endVisit(slot);
      this.#dispatch();
    });
    this.#running.add(work);
  }

  /** Removes the documents for the next lane from the queue. */
  #take(): readonly Task[] {
    const free = this.#slots.filter(isFree).length;
    const first = this.#line.next(free);
    if (first === undefined) return [];
    if (first.alone || !this.#joins.takes(first.task)) {
      return this.#line.take(1, first, (waiting) => waiting === first);
    }
    const { group } = first.task;
    const fits = ({ task, alone }: Waiting): boolean =>
      !alone && task.group === group && this.#joins.takes(task);
    const waiting = this.#line.count(MAX_COUNTED, first, fits);
    return this.#line.take(this.#joins.share(first.task, waiting, free), first, fits);
  }

  /** Never rejects. */
  async #convert(lane: Lane, tasks: readonly Task[]): Promise<void> {
    const [first] = tasks;
    if (first === undefined) return;
    const documents = tasks.map(({ document }) => document);
    const unwanted = new AbortController();
    const check = (): void => {
      if (tasks.every(({ signal }) => signal.aborted)) unwanted.abort();
    };
    for (const { signal } of tasks) signal.addEventListener("abort", check);
    const preemption = new Preemption(lane, tasks, this.#options.preemptAfterMs, unwanted, () =>
      this.#line.isAwaited(first.sharer),
    );
    try {
      await Promise.all(tasks.map(({ onBegin }) => onBegin?.()));
      const { fonts } = this.#options;
      const group = tasks.length > 1 ? first.group : null;
      const request = { documents, pdf: first.pdf, fonts, group };
      const began = performance.now();
      const reply = await lane.convert(request, unwanted.signal);
      if (first.group !== null) {
        this.#joins.took(first.group, tasks.length, performance.now() - began);
      }
      if (group !== null && reply.refused !== null) this.#joins.refuse(group, reply.refused);
      for (const [index, task] of tasks.entries()) {
        this.#afterReply(task, reply.documents[index] ?? NO_REPLY);
      }
      if (reply.documents.some(({ type }) => type === "elsewhere")) await lane.stop();
    } catch (error) {
      if (preemption.happened && error instanceof LaneFailure && error.end === "given up")
        preemption.reject();
      else this.#afterFailures(tasks, error);
    } finally {
      preemption.end();
      for (const { signal } of tasks) signal.removeEventListener("abort", check);
    }
  }

  #afterReply(task: Task, reply: DocumentReply): void {
    if (reply.type === "elsewhere") {
      if (this.#closing.signal.aborted) task.reject(closedError());
      else this.#line.addAgain(task);
      return;
    }
    this.#strikes.clear(task.hash);
    task.resolve(reply);
  }

  #afterFailures(tasks: readonly Task[], error: unknown): void {
    const inGroup = tasks.length > 1;
    const group = tasks[0]?.group ?? null;
    if (error instanceof LaneFailure) this.#options.onReplaced(error.end);
    if (inGroup && group !== null) this.#joins.refuse(group, "a lane ended");
    for (const task of tasks) this.#afterFailure(task, error, inGroup);
  }

  /**
   * Handles a document whose lane has been stopped. Documents that were converted together are retried one by one. A
   * document that was alone is considered the cause, unless the lane was lost.
   */
  #afterFailure(task: Task, error: unknown, inGroup: boolean): void {
    if (task.signal.aborted) return;
    if (!(error instanceof LaneFailure)) {
      task.reject(isQuireError(error) ? error : notSent(error));
      return;
    }
    const lost = error.end === "lost";
    if (!inGroup && !lost) this.#strikes.strike(task.hash);
    if (!inGroup && error.end === "deadline") {
      task.reject(conversionTimeout(this.#options.deadlineMs));
    } else if (lost && this.#strikes.lose(task) >= MAX_LOST) task.reject(lanesLost(error));
    else if (this.#strikes.refuses(task.hash)) task.reject(refusedForGood(error));
    else if (this.#closing.signal.aborted) task.reject(closedError());
    else this.#line.addAgain(task);
  }

  /** After a conversion: keeps the lane, switches to its successor, or starts a new lane. */
  #settle(slot: Slot): void {
    const { lane, successor } = slot;
    if (successor !== null) {
      slot.lane = successor;
      slot.successor = null;
      if (lane !== null) this.#retire(slot, lane);
      return;
    }
    if (lane !== null && !lane.alive) {
      this.#inBackground(lane.stop());
      slot.lane = null;
    }
    if (slot.lane === null || (!slot.leaving && this.#isWorn(slot.lane))) this.#ensureLane(slot);
  }

  /** Ends the use of the slot's lane. If the lane ended during the use, the use lasts until the next lane is ready. */
  #endVisit(slot: Slot): void {
    const { laneUse, lane, starting, busy } = slot;
    if (laneUse === null || busy || (starting && lane?.alive !== true)) return;
    slot.laneUse = null;
    this.#line.end(laneUse);
  }

  #retire(slot: Slot, lane: Lane): void {
    this.#options.onReplaced("worn");
    slot.leaving = true;
    const left = lane.stop().finally(() => {
      slot.leaving = false;
    });
    this.#inBackground(left);
  }

  #isWorn(lane: Lane): boolean {
    const { recycleAfter, recycleMemoryMb } = this.#options;
    return lane.converted >= recycleAfter || lane.residentMb > recycleMemoryMb;
  }

  /** Starts a lane for an empty slot, or the successor of the slot's lane. */
  #ensureLane(slot: Slot): void {
    if (slot.starting || this.#closing.signal.aborted) return;
    const others = this.#slots.some(({ lane, starting }) => lane?.alive === true || starting);
    if (others && performance.now() - slot.failedAt < START_AGAIN_MS) return;
    slot.starting = true;
    this.#inBackground(
      this.#starter
        .start()
        .then((lane) => {
          this.fonts = lane.fonts;
          this.version = lane.version;
          if (slot.lane?.alive !== true) {
            if (slot.lane !== null) this.#inBackground(slot.lane.stop()); // removes its leftovers
            slot.lane = lane;
          } else if (slot.busy) slot.successor = lane;
          else {
            this.#retire(slot, slot.lane);
            slot.lane = lane;
          }
        })
        .catch((error: unknown) => this.#noLane(slot, error))
        .finally(() => {
          slot.starting = false;
          this.#endVisit(slot);
          this.#dispatch();
        }),
    );
  }

  /** Handles a lane that did not start. If no lane runs or is starting, the waiting documents are rejected. */
  #noLane(slot: Slot, error: unknown): void {
    slot.failedAt = performance.now();
    if (!this.#closing.signal.aborted) this.#options.onReplaced("broken");
    const hope = (other: Slot): boolean =>
      other.lane?.alive === true || (other !== slot && other.starting);
    if (this.#slots.some(hope)) return;
    this.#line.rejectAll(notStarted(error));
  }

  #inBackground(work: Promise<unknown>): void {
    const done: Promise<void> = work.then(
      () => {},
      () => {},
    );
    const tracked = done.finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }
}
