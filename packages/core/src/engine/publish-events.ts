import type { JobWorker, TakenEvent } from "@quire/contracts";
import { type EngineEvent, toEvent } from "../batch/job.ts";
import type { Notifier } from "./notifier.ts";

/** Handles events. If `handle` rejects, all of its events are delivered again. */
export interface EventHandler {
  /** Maximum number of events of one call. */
  readonly size: number;
  handle(events: readonly EngineEvent[]): Promise<void> | void;
}

/** Maximum number of events that are read and marked in one write. */
export const EVENT_GROUP = 100;
/** While a handler is slow, events are marked at least this often, so that a crash repeats few of them. */
const MARK_EVERY_MS = 100;
/** Polling interval for events of other processes. */
const POLL_MS = 1000;
/** Pause before delivered events are marked again if the store fails. */
const MARK_AGAIN_MS = 1000;
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 60_000;

/** Options of {@link EventPublisher}. */
export interface PublisherOptions {
  readonly worker: JobWorker;
  readonly handler: EventHandler;
  readonly notifier: Notifier;
  /** Ends the delivery at once. Another worker repeats the current events. */
  readonly stop: AbortSignal;
  /** Whether no more events will be recorded. */
  readonly isDone: () => boolean;
}

/**
 * Delivers the events that a worker takes, in order, until the handler accepts them. Each group is marked as delivered
 * in the write that takes the next one.
 */
export class EventPublisher {
  readonly #options: PublisherOptions;
  /** Events that were taken and have not been delivered. */
  #taken: TakenEvent[] = [];
  /** Sequence numbers of delivered events that are not marked. */
  #delivered: number[] = [];
  #nextMark = 0;

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  /**
   * Ends when `isDone` returns true and all events are delivered, or when `stop` is aborted. Rejects if `takeEvents`
   * fails: the worker may have events that are not known here, so it must be closed.
   */
  async run(): Promise<void> {
    const { notifier, stop, isDone } = this.#options;
    while (!stop.aborted) {
      if (!(await this.#nextGroup())) return;
      if (this.#taken.length === 0) {
        if (isDone() || stop.aborted) return;
        await notifier.wait(POLL_MS, false);
      } else if (!(await this.#deliverAll())) break;
    }
    // Events that cannot be marked are repeated by another worker.
    await this.#tryToMark().catch(() => {});
  }

  /**
   * Takes events and marks the delivered ones. The store can do both in one write. Returns false if the store fails to
   * mark them, and the delivery must end.
   */
  async #nextGroup(): Promise<boolean> {
    const [taken, isMarked] = await Promise.allSettled([this.#take(), this.#mark()]);
    if (taken.status === "rejected") throw taken.reason;
    return isMarked.status === "fulfilled" && isMarked.value;
  }

  async #take(): Promise<void> {
    const events = await this.#options.worker.takeEvents(EVENT_GROUP);
    this.#taken.push(...events);
  }

  /**
   * Marks the delivered events, and tries again while the store fails. Returns false if the delivery must end first;
   * another worker then repeats these events.
   */
  async #mark(): Promise<boolean> {
    const { notifier, stop, isDone } = this.#options;
    for (;;) {
      try {
        await this.#tryToMark();
        return true;
      } catch {
        if (isDone() || stop.aborted) return false;
        await notifier.wait(MARK_AGAIN_MS, false);
      }
    }
  }

  async #tryToMark(): Promise<void> {
    const sequences = this.#delivered.splice(0);
    if (sequences.length === 0) return;
    try {
      await this.#options.worker.tellEvents(sequences);
    } catch (error) {
      this.#delivered.unshift(...sequences);
      throw error;
    } finally {
      this.#nextMark = performance.now() + MARK_EVERY_MS;
    }
  }

  /** Returns false if the delivery was given up; another worker then delivers the events. */
  async #deliverAll(): Promise<boolean> {
    const { size } = this.#options.handler;
    while (this.#taken.length > 0) {
      const given = this.#taken.slice(0, size);
      if (!(await this.#deliver(given))) return false;
      this.#taken.splice(0, given.length);
      this.#delivered.push(...given.map(({ sequence }) => sequence));
      const isLong = this.#taken.length > 0 && performance.now() > this.#nextMark;
      if (isLong && !(await this.#mark())) return false;
    }
    return true;
  }

  async #deliver(taken: readonly TakenEvent[]): Promise<boolean> {
    const { handler, notifier, stop, isDone } = this.#options;
    const events = taken.map(toEvent).filter((event) => event !== null);
    for (
      let pauseMs = MIN_PAUSE_MS;
      events.length > 0;
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)
    ) {
      if (stop.aborted) return false;
      try {
        return await takes(handler, events, stop);
      } catch {
        if (isDone() || !(await this.#mark())) return false;
        await notifier.wait(pauseMs, false);
      }
    }
    return true;
  }
}

/** Calls the handler and waits for it. Rejects if the handler rejects; returns false if `stop` ends the wait. */
async function takes(
  handler: EventHandler,
  events: readonly EngineEvent[],
  stop: AbortSignal,
): Promise<boolean> {
  const given = Promise.withResolvers<boolean>();
  const giveUp = (): void => given.resolve(false);
  stop.addEventListener("abort", giveUp, { once: true });
  try {
    return await Promise.race([
      Promise.resolve(handler.handle(events)).then(() => true),
      given.promise,
    ]);
  } finally {
    stop.removeEventListener("abort", giveUp);
  }
}
