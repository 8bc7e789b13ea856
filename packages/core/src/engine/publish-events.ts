import type { JobStore, JobWorker, StoredEvent } from "@quire/contracts";
import { type EngineEvent, toEvent } from "../batch/job.ts";
import type { Notifier } from "./notifier.ts";

/** Handles an event. If it rejects, the event is delivered again. */
export type EventHandler = (event: EngineEvent) => Promise<void> | void;

const AT_ONCE = 100;
/** Polling interval for events of other processes. */
const POLL_MS = 1000;
const MAX_PAUSE_MS = 60_000;

/** The source of events, and the signals that affect their delivery. */
export interface EventSource {
  readonly jobs: JobStore;
  readonly worker: JobWorker;
  readonly notifier: Notifier;
  /** Ends the delivery at once. Another worker repeats the current event. */
  readonly stop: AbortSignal;
}

/**
 * Delivers events in order, one at a time, each until the handler accepts it. Ends when `isDone` returns true and there
 * are no more events, or when `stop` is aborted.
 */
export async function publishEvents(
  source: EventSource,
  handler: EventHandler,
  isDone: () => boolean,
): Promise<void> {
  const { worker, notifier, stop } = source;
  const delivered = new Delivered(worker);
  while (!stop.aborted) {
    const events = await worker.takeEvents(AT_ONCE);
    for (const event of events) {
      if (!(await deliver(event, source, handler, isDone))) {
        // An event that could not be marked is repeated by another worker.
        return delivered.marked().catch(() => {});
      }
      delivered.add(event);
    }
    await delivered.marked();
    if (events.length > 0) continue;
    if (isDone() || stop.aborted) return;
    await notifier.wait(POLL_MS, false);
  }
}

/**
 * Marks events as delivered while the next ones are being delivered. One write covers all events that waited for the
 * previous write.
 */
class Delivered {
  readonly #worker: JobWorker;
  #sequences: number[] = [];
  #marked: Promise<void> = Promise.resolve();

  constructor(worker: JobWorker) {
    this.#worker = worker;
  }

  add({ sequence }: StoredEvent): void {
    if (this.#sequences.push(sequence) > 1) return;
    this.#marked = this.#marked.then(() => this.#worker.tellEvents(this.#sequences.splice(0)));
    // `marked` rejects with the error.
    this.#marked.catch(() => {});
  }

  /** Resolves when all events are marked. Rejects if a write has failed. */
  marked(): Promise<void> {
    return this.#marked;
  }
}

/** Returns false if the delivery was given up; another worker then delivers the event. */
async function deliver(
  stored: StoredEvent,
  { jobs, notifier, stop }: EventSource,
  handler: EventHandler,
  isDone: () => boolean,
): Promise<boolean> {
  const { batchId, entry } = stored;
  const batch = await jobs.getBatch(batchId);
  const job = entry === null ? null : await jobs.getJob(batchId, entry);
  const event = toEvent(stored, batch, job?.job ?? null);
  for (let pauseMs = 100; event !== null; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    if (stop.aborted) return false;
    try {
      return await takes(handler, event, stop);
    } catch {
      if (isDone()) return false;
      await notifier.wait(pauseMs, false);
    }
  }
  return true;
}

/** Calls the handler and waits for it. Rejects if the handler rejects; returns false if `stop` ends the wait. */
async function takes(
  handler: EventHandler,
  event: EngineEvent,
  stop: AbortSignal,
): Promise<boolean> {
  const given = Promise.withResolvers<boolean>();
  const giveUp = (): void => given.resolve(false);
  stop.addEventListener("abort", giveUp, { once: true });
  try {
    return await Promise.race([Promise.resolve(handler(event)).then(() => true), given.promise]);
  } finally {
    stop.removeEventListener("abort", giveUp);
  }
}
