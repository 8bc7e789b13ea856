import type { QuireError } from "@quire/core/host";
import { stillWaiting, tooManyWaiting } from "./failures.ts";
import type { Task } from "./task.ts";

/** A document in the line. */
export interface Waiting {
  readonly task: Task;
  /** Not together with others: it was in a group that failed. */
  readonly alone: boolean;
}

interface Place extends Waiting {
  readonly timer: NodeJS.Timeout;
  readonly onAbort: () => void;
}

/** The documents that wait for a lane, in order. So many may, and each only for so long. */
export class WaitingLine {
  readonly #maxWaiting: number;
  readonly #maxWaitMs: number;
  /** Those that were in a lane already come first. */
  readonly #again = new Set<Place>();
  readonly #new = new Set<Place>();

  constructor({
    maxWaiting,
    maxWaitMs,
  }: { readonly maxWaiting: number; readonly maxWaitMs: number }) {
    this.#maxWaiting = maxWaiting;
    this.#maxWaitMs = maxWaitMs;
  }

  get size(): number {
    return this.#again.size + this.#new.size;
  }

  /** Adds a document; when there is no room, and it will have to wait, its task is rejected. */
  add(task: Task, willNotWait: boolean): void {
    if (willNotWait || this.size < this.#maxWaiting) this.#join(this.#new, task, false);
    else task.reject(tooManyWaiting(this.#maxWaiting));
  }

  /** Puts a document back that was in a lane, before all others. */
  addAgain(task: Task): void {
    this.#join(this.#again, task, true);
  }

  /** Takes out the first ones that fit, at most so many. */
  take(count: number, fits: (waiting: Waiting) => boolean): Task[] {
    const taken: Task[] = [];
    for (const place of this.#places()) {
      if (taken.length >= count) break;
      if (!fits(place)) continue;
      this.#leave(place);
      taken.push(place.task);
    }
    return taken;
  }

  /** How many fit; no more than `count` are counted. */
  count(count: number, fits: (waiting: Waiting) => boolean): number {
    let fitting = 0;
    for (const place of this.#places()) {
      if (fits(place)) fitting += 1;
      if (fitting >= count) break;
    }
    return fitting;
  }

  first(): Waiting | undefined {
    const [first] = this.#places();
    return first;
  }

  rejectAll(error: QuireError): void {
    for (const task of this.take(Number.POSITIVE_INFINITY, () => true)) task.reject(error);
  }

  *#places(): Generator<Place, void, undefined> {
    yield* this.#again;
    yield* this.#new;
  }

  #join(line: Set<Place>, task: Task, alone: boolean): void {
    if (task.signal.aborted) return; // who gave the task tells who wanted it
    const timer = setTimeout(() => {
      this.#leave(place);
      task.reject(stillWaiting(this.#maxWaitMs));
    }, this.#maxWaitMs);
    const onAbort = (): void => this.#leave(place);
    const place: Place = { task, alone, timer, onAbort };
    task.signal.addEventListener("abort", onAbort);
    line.add(place);
  }

  #leave(place: Place): void {
    clearTimeout(place.timer);
    place.task.signal.removeEventListener("abort", place.onAbort);
    this.#again.delete(place);
    this.#new.delete(place);
  }
}
