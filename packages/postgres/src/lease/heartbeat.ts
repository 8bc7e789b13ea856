import { Worker } from "node:worker_threads";
import type { Place } from "../database/connection.ts";

/** A message to the thread. */
export type HeartbeatMessage =
  | {
      readonly type: "start";
      readonly workerNo: number;
      readonly leaseMs: number;
      readonly renewMs: number;
      /** The end of the lease by the monotonic clock. The thread writes it. */
      readonly deadline: Float64Array;
    }
  | { readonly type: "stop"; readonly workerNo: number };

/** A message from the thread: it is ready, a worker has lost its lease, or there may be work. */
export type HeartbeatNews = "ready" | "work" | { readonly lost: number };

/** The thread's file: `.ts` in the sources, `.js` in dist. */
const ENTRY = new URL(
  import.meta.url.endsWith(".ts") ? "./heartbeat-thread.ts" : "./heartbeat-thread.js",
  import.meta.url,
);

/**
 * Renews the leases of a store's workers in one thread, over a separate connection that also listens for new work.
 * A busy event loop or a pool without free connections does not delay it.
 */
export class Heartbeat {
  readonly #place: Place;
  readonly #onLost = new Map<number, () => void>();
  readonly #waiting = new Set<() => void>();
  #news = 0;
  #thread: Worker | null = null;
  #started: Promise<void> | null = null;

  constructor(place: Place) {
    this.#place = place;
  }

  /** Resolves when leases can be renewed. */
  ready(): Promise<void> {
    this.#started ??= this.#open();
    return this.#started;
  }

  /** Renews a lease until {@link stop}. Calls `onLost` if the server says that the lease has expired. */
  start(message: HeartbeatMessage & { readonly type: "start" }, onLost: () => void): void {
    this.#onLost.set(message.workerNo, onLost);
    this.#thread?.postMessage(message);
  }

  stop(workerNo: number): void {
    this.#onLost.delete(workerNo);
    this.#thread?.postMessage({ type: "stop", workerNo } satisfies HeartbeatMessage);
  }

  /** Resolves when there may be work, after `ms` milliseconds, or when the signal is aborted. */
  waitForWork(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        this.#waiting.delete(end);
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      timer.unref();
      this.#waiting.add(end);
      signal?.addEventListener("abort", end, { once: true });
      if (signal?.aborted) end();
    });
  }

  /** How often work was announced. */
  get news(): number {
    return this.#news;
  }

  /** Ends all waits for work. */
  announce(): void {
    this.#news += 1;
    for (const end of [...this.#waiting]) end();
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    this.announce();
    await thread?.terminate();
  }

  #open(): Promise<void> {
    const thread = new Worker(ENTRY, { workerData: this.#place, execArgv: [] });
    this.#thread = thread;
    thread.unref();
    return new Promise((resolve, reject) => {
      thread.on("message", (news: HeartbeatNews) => {
        if (news === "ready") resolve();
        else if (news === "work") this.announce();
        else this.#onLost.get(news.lost)?.();
      });
      // The leases expire, so the workers lose their jobs and open new workers.
      const end = (error: unknown): void => {
        reject(error);
        if (this.#thread !== thread) return;
        this.#thread = null;
        this.#started = null;
        for (const lost of [...this.#onLost.values()]) lost();
      };
      thread.on("error", end);
      thread.on("exit", () => end(new Error("The thread that renews leases has ended.")));
    });
  }
}
