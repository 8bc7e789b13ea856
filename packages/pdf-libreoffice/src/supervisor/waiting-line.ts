import { FairLine, type QuireError, type Sharer } from "@quire/contracts";
import { stillWaiting, tooManyWaiting } from "./failures.ts";
import { type LaneUse, LastLane } from "./last-lane.ts";
import type { Task } from "./task.ts";

/** A document in the queue. */
export interface Waiting {
  readonly sharer: Sharer;
  readonly task: Task;
  /** Whether the document must be alone in its lane, because a lane ended that had it. */
  readonly alone: boolean;
}

interface Place extends Waiting {
  readonly timer: NodeJS.Timeout;
  readonly onAbort: () => void;
}

/** When tenants share lanes by time, a lane use that has just begun counts as this much longer. */
const TURN_MS = 100;

/**
 * The queue of documents that wait for a lane. Tenants share the lanes by time, and slow documents do not get the
 * last free lane if their tenant already has one (see `LastLane`). Both the number of waiting documents and their
 * waiting time are limited.
 */
export class WaitingLine {
  readonly #maxWaiting: number;
  readonly #maxWaitMs: number;
  readonly #line: FairLine<Place>;
  readonly #lastLane = new LastLane();

  constructor({
    lanes,
    maxWaiting,
    maxWaitMs,
  }: {
    readonly lanes: number;
    readonly maxWaiting: number;
    readonly maxWaitMs: number;
  }) {
    this.#maxWaiting = maxWaiting;
    this.#maxWaitMs = maxWaitMs;
    this.#line = new FairLine({
      places: lanes,
      turnMs: TURN_MS,
      leavesLast: (tenant) => this.#lastLane.leavesLast(tenant),
    });
  }

  get size(): number {
    return this.#line.length;
  }

  /** Adds a document. Rejects its task if the queue is full and the document would have to wait. */
  add(task: Task, alone: boolean, willNotWait: boolean): void {
    if (!willNotWait && this.size >= this.#maxWaiting) {
      task.reject(tooManyWaiting(this.#maxWaiting));
      return;
    }
    const place = this.#place(task, alone);
    if (place !== null) this.#line.add(place);
  }

  /** Returns a document from a lane to the queue, ahead of its group. */
  addAgain(task: Task, alone: boolean): void {
    const place = this.#place(task, alone);
    if (place !== null) this.#line.addFirst(place);
  }

  /** Returns the next document if `free` lanes are free; undefined if no document may start. Does not remove it. */
  next(free: number): Waiting | undefined {
    return this.#line.next(free);
  }

  /** Removes up to `count` matching documents from the flow of a document, in order. */
  take(count: number, { sharer }: Waiting, fits: (waiting: Waiting) => boolean): Task[] {
    const places: Place[] = [];
    for (const place of this.#line.sameFlow({ sharer })) {
      if (places.length >= count) break;
      if (fits(place)) places.push(place);
    }
    for (const place of places) this.#leave(place);
    return places.map(({ task }) => task);
  }

  /** Counts matching documents of the same flow. Stops at `count`. */
  count(count: number, { sharer }: Waiting, fits: (waiting: Waiting) => boolean): number {
    let fitting = 0;
    for (const place of this.#line.sameFlow({ sharer })) {
      if (fits(place)) fitting += 1;
      if (fitting >= count) break;
    }
    return fitting;
  }

  /** Records that a lane received documents. */
  begin(sharer: Sharer, documents: number): LaneUse {
    this.#line.begin(sharer);
    return this.#lastLane.begin(sharer, documents);
  }

  /** Records that the lane or its replacement is free again. */
  end(laneUse: LaneUse): void {
    this.#line.end(laneUse.sharer);
    this.#lastLane.end(laneUse);
  }

  /** Whether documents of other flows wait. */
  isAwaited(sharer: Sharer): boolean {
    return this.#line.isAwaited(sharer);
  }

  rejectAll(error: QuireError): void {
    for (const place of [...this.#line.all()]) {
      this.#leave(place);
      place.task.reject(error);
    }
  }

  #place(task: Task, alone: boolean): Place | null {
    if (task.signal.aborted) return null; // the caller that aborted already has its error
    const timer = setTimeout(() => {
      this.#leave(place);
      task.reject(stillWaiting(this.#maxWaitMs));
    }, this.#maxWaitMs);
    const onAbort = (): void => this.#leave(place);
    const { sharer } = task;
    const place: Place = { sharer, task, alone, timer, onAbort };
    task.signal.addEventListener("abort", onAbort);
    return place;
  }

  #leave(place: Place): void {
    clearTimeout(place.timer);
    place.task.signal.removeEventListener("abort", place.onAbort);
    this.#line.remove(place);
  }
}
