import { FairLine, type QuireError, type Sharer } from "@quire/core/host";
import { stillWaiting, tooManyWaiting } from "./failures.ts";
import type { Task } from "./task.ts";
import { type Visit, Visits } from "./visits.ts";

/** A document in the line. */
export interface Waiting {
  readonly sharer: Sharer;
  readonly task: Task;
  /** Not together with others: it was in a group that failed. */
  readonly alone: boolean;
}

interface Place extends Waiting {
  readonly timer: NodeJS.Timeout;
  readonly onAbort: () => void;
}

/** A visit that has just begun counts as this much older when lanes are shared. */
const TURN_MS = 100;

/**
 * The documents that wait for a lane. Tenants share the time of the lanes, and slow documents do not get the last free one
 * when their tenant has another (`Visits`). The number of waiting documents and their waiting time are limited.
 */
export class WaitingLine {
  readonly #maxWaiting: number;
  readonly #maxWaitMs: number;
  readonly #line: FairLine<Place>;
  readonly #visits = new Visits();

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
      leavesLast: (tenant) => this.#visits.leavesLast(tenant),
    });
  }

  get size(): number {
    return this.#line.length;
  }

  /** Adds a document; when there is no room, and it will have to wait, its task is rejected. */
  add(task: Task, willNotWait: boolean): void {
    if (!willNotWait && this.size >= this.#maxWaiting) {
      task.reject(tooManyWaiting(this.#maxWaiting));
      return;
    }
    const place = this.#place(task, false);
    if (place !== null) this.#line.add(place);
  }

  /** Puts a document back that was in a lane, before all others of its group. */
  addAgain(task: Task): void {
    const place = this.#place(task, true);
    if (place !== null) this.#line.addFirst(place);
  }

  /** The document for the next lane, while `free` lanes are free. Does not remove it. */
  next(free: number): Waiting | undefined {
    return this.#line.next(free);
  }

  /** Removes the first documents that fit, at most `count`, from the flow of a document. */
  take(count: number, { sharer }: Waiting, fits: (waiting: Waiting) => boolean): Task[] {
    const places: Place[] = [];
    for (const place of this.#line.sameFlow({ sharer })) {
      if (places.length >= count) break;
      if (fits(place)) places.push(place);
    }
    for (const place of places) this.#leave(place);
    return places.map(({ task }) => task);
  }

  /** How many documents of the same flow fit. Stops at `count`. */
  count(count: number, { sharer }: Waiting, fits: (waiting: Waiting) => boolean): number {
    let fitting = 0;
    for (const place of this.#line.sameFlow({ sharer })) {
      if (fits(place)) fitting += 1;
      if (fitting >= count) break;
    }
    return fitting;
  }

  /** A lane gets documents. */
  begin(sharer: Sharer, documents: number): Visit {
    this.#line.begin(sharer);
    return this.#visits.begin(sharer, documents);
  }

  /** The lane, or the one in its place, is free again. */
  end(visit: Visit): void {
    this.#line.end(visit.sharer);
    this.#visits.end(visit);
  }

  rejectAll(error: QuireError): void {
    for (const place of [...this.#line.all()]) {
      this.#leave(place);
      place.task.reject(error);
    }
  }

  #place(task: Task, alone: boolean): Place | null {
    if (task.signal.aborted) return null; // who gave the task tells who wanted it
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
