import { type ConverterSeal, isQuireError } from "@quire/contracts";
import type { DocumentReply, LaneMode } from "../process/messages.ts";
import { Background } from "./background.ts";
import { CrashStrikes } from "./crash-strikes.ts";
import { closedError, NO_REPLY, notSent, notStarted, refusedForGood } from "./failures.ts";
import { JoinPlan } from "./join-plan.ts";
import { JoinProofs } from "./join-proofs.ts";
import type { Lane } from "./lane.ts";
import { LaneFailure } from "./lane-failure.ts";
import { LaneStarter } from "./lane-starter.ts";
import { Outage } from "./outage.ts";
import type { PoolOptions } from "./pool-options.ts";
import { Preemption } from "./preemption.ts";
import { emptySlot, isFree, type Slot } from "./slot.ts";
import { isFailure, type Task } from "./task.ts";
import { type Waiting, WaitingLine } from "./waiting-line.ts";

/** How long a slot remains empty after a failed start while other lanes run. */
const START_AGAIN_MS = 10_000;

/** The waiting documents of a group are counted up to this number. More would not change how many a lane gets. */
const MANY = 1_000;

/**
 * Manages the lanes and the documents that wait for them. If a lane ends while it converts a document, the document
 * is retried once, alone in another lane. If that lane also ends, the document is refused permanently. Of documents
 * that were together in a lane, none is blamed: each is retried alone. A document that
 * exceeds the deadline is rejected with `timeout`. Ended lanes are restarted. Lanes that have grown too large keep
 * working until their replacement is ready.
 */
export class LanePool {
  readonly #options: PoolOptions;
  readonly #slots: Slot[];
  readonly #line: WaitingLine;
  readonly #strikes: CrashStrikes;
  readonly #joins: JoinPlan;
  readonly #proofs = new JoinProofs();
  readonly #background = new Background();
  readonly #starter: LaneStarter;
  readonly #outage = new Outage();
  readonly #closing = new AbortController();
  /** The hash of the fonts, and the version, as the lane that started last reported them. */
  fonts: string | null = null;
  version: string | null = null;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#line = new WaitingLine(options);
    this.#strikes = new CrashStrikes(options);
    this.#joins = new JoinPlan(options.join === "auto", options.joining);
    this.#starter = new LaneStarter(options, this.#closing.signal);
    this.#slots = Array.from({ length: options.lanes }, emptySlot);
  }

  /** The state of the seal; null until a lane has started. */
  get seal(): ConverterSeal | null {
    return this.#starter.seal;
  }

  /** The mode: `warm` unless it was found not to work at present. */
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
    else {
      this.#line.add(task, this.#strikes.suspects(task.hash), this.#slots.some(isFree));
    }
    this.#dispatch();
  }

  /** Rejects new and waiting documents, and waits for running conversions. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#outage.stop();
    this.#line.rejectAll(closedError());
    await this.#background.settled();
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
    const { tasks, alone } = this.#take(lane.mode);
    const [first] = tasks;
    if (first === undefined) return;
    slot.busy = true;
    slot.laneUse = this.#line.begin(first.sharer, tasks.length);
    const work = this.#convert(lane, tasks, alone).finally(() => {
      slot.busy = false;
      this.#settle(slot);
      this.#endVisit(slot);
      this.#dispatch();
    });
    this.#background.add(work);
  }

  /** Removes the documents for the next lane from the queue. `alone`: as in {@link Waiting}. */
  #take(mode: LaneMode): { readonly tasks: readonly Task[]; readonly alone: boolean } {
    const free = this.#slots.filter(isFree).length;
    const first = this.#line.next(free);
    if (first === undefined) return { tasks: [], alone: false };
    const { alone } = first;
    if (alone || mode === "fresh" || !this.#joins.takes(first.task)) {
      return { tasks: this.#line.take(1, first, (waiting) => waiting === first), alone };
    }
    const { group } = first.task;
    const fits = ({ task, ...waiting }: Waiting): boolean =>
      !waiting.alone && task.group === group && this.#joins.takes(task);
    const waiting = this.#line.count(MANY, first, fits);
    const count = this.#joins.share(first.task, waiting, free);
    return { tasks: this.#line.take(count, first, fits), alone };
  }

  /** Never rejects. */
  async #convert(lane: Lane, tasks: readonly Task[], alone: boolean): Promise<void> {
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
    const limitMs = this.#joins.limitMs(tasks, this.#options.deadlineMs);
    try {
      await Promise.all(tasks.map(({ onBegin }) => onBegin?.()));
      const { fonts } = this.#options;
      const group = tasks.length > 1 ? first.group : null;
      const proven = this.#proofs.of(group, lane);
      const request = { documents, pdf: first.pdf, fonts, group, proven };
      const began = performance.now();
      const reply = await lane.convert(request, limitMs, unwanted.signal);
      const tookMs = performance.now() - began;
      this.#proofs.add(group, lane, reply.proven);
      if (group !== null && reply.refused !== null) this.#joins.refuse(group, reply.refused);
      const converted = reply.documents.filter(({ type }) => type !== "alone").length;
      const isLeft = reply.documents.some(({ type }) => type === "elsewhere");
      // LibreOffice failed with documents that were joined, and perhaps only because of one of them.
      const isFault = group !== null && isLeft && !reply.documents.some(isFailure);
      if (isFault) this.#joins.fault(group);
      else if (first.group !== null) this.#joins.took(first.group, converted, tookMs);
      for (const [index, task] of tasks.entries()) {
        this.#afterReply(task, alone || isFault, reply.documents[index] ?? NO_REPLY);
      }
      if (isLeft) await lane.stop();
    } catch (error) {
      if (preemption.happened && error instanceof LaneFailure && error.end === "given up")
        preemption.reject();
      else this.#afterFailures(tasks, limitMs, error);
    } finally {
      preemption.end();
      for (const { signal } of tasks) signal.removeEventListener("abort", check);
    }
  }

  #afterReply(task: Task, alone: boolean, reply: DocumentReply): void {
    if (reply.type === "elsewhere" || reply.type === "alone") {
      if (this.#closing.signal.aborted) task.reject(closedError());
      else this.#line.addAgain(task, alone || reply.type === "alone");
      return;
    }
    this.#strikes.clear(task.hash);
    task.resolve(reply);
  }

  /** Handles documents whose lane has been stopped. `limitMs`: their time limit. */
  #afterFailures(tasks: readonly Task[], limitMs: number, error: unknown): void {
    const inGroup = tasks.length > 1;
    const group = tasks[0]?.group ?? null;
    let alone = !inGroup;
    if (error instanceof LaneFailure) {
      this.#options.onReplaced(error.end);
      if (inGroup && group !== null && error.end !== "lost") {
        this.#joins.fault(group);
        if (error.end === "deadline") this.#joins.overran(tasks, limitMs);
        alone = true;
      }
    }
    for (const task of tasks) this.#afterFailure(task, error, inGroup, alone);
  }

  #afterFailure(task: Task, error: unknown, inGroup: boolean, alone: boolean): void {
    if (task.signal.aborted) return;
    if (!(error instanceof LaneFailure)) {
      task.reject(isQuireError(error) ? error : notSent(error));
      return;
    }
    const verdict = this.#strikes.verdict(task, error, inGroup);
    if (verdict !== null) task.reject(verdict);
    else if (this.#closing.signal.aborted) task.reject(closedError());
    else this.#line.addAgain(task, alone);
  }

  /** Keeps the lane after a conversion, switches to its successor, or starts a new lane. */
  #settle(slot: Slot): void {
    const { lane, successor } = slot;
    if (successor !== null) {
      slot.lane = successor;
      slot.successor = null;
      if (lane !== null) this.#retire(slot, lane);
      return;
    }
    if (lane !== null && !lane.alive) {
      this.#background.add(lane.stop());
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
    this.#background.add(left);
  }

  #isWorn(lane: Lane): boolean {
    const { recycleAfter, recycleMemoryMb } = this.#options;
    if (this.#starter.improves(lane)) return true;
    return lane.converted >= recycleAfter || lane.residentMb > recycleMemoryMb;
  }

  /** Starts a lane for an empty slot, or the successor of the slot's lane. */
  #ensureLane(slot: Slot): void {
    if (slot.starting || this.#outage.isPaused || this.#closing.signal.aborted) return;
    const others = this.#slots.some(({ lane, starting }) => lane?.alive === true || starting);
    if (others && performance.now() - slot.failedAt < START_AGAIN_MS) return;
    slot.starting = true;
    this.#background.add(
      this.#starter
        .start()
        .then((lane) => {
          this.#outage.end();
          this.fonts = lane.fonts;
          this.version = lane.version;
          if (slot.lane?.alive !== true) {
            if (slot.lane !== null) this.#background.add(slot.lane.stop()); // removes its leftovers
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

  /**
   * Handles a lane that did not start. If no lane runs or is starting, the waiting documents are rejected, or wait some
   * time if lanes ran before.
   */
  #noLane(slot: Slot, error: unknown): void {
    slot.failedAt = performance.now();
    if (!this.#closing.signal.aborted) this.#options.onReplaced("broken");
    const hope = (other: Slot): boolean =>
      other.lane?.alive === true || (other !== slot && other.starting);
    if (this.#slots.some(hope) || this.#closing.signal.aborted) return;
    const mayPass = !isQuireError(error) || error.retryable;
    if (this.#line.size > 0 && mayPass && this.#outage.pause(() => this.#dispatch())) return;
    this.#line.rejectAll(notStarted(error, this.#options.tempDir));
  }
}
