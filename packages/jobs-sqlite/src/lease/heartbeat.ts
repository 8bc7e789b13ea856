import { Worker } from "node:worker_threads";
import { programUrl } from "@quire/contracts";
import { monotonicMs } from "../database/machine.ts";

/** Messages to the thread. */
export type HeartbeatMessage =
  | {
      readonly type: "start";
      readonly workerNo: number;
      readonly leaseMs: number;
      readonly renewMs: number;
      /** When the lease expires, by the machine's monotonic clock. Written by the thread. */
      readonly deadline: Float64Array;
    }
  | { readonly type: "stop"; readonly workerNo: number };

/** The initial data of the thread. */
export interface HeartbeatData {
  readonly path: string;
  /** When the main thread's event loop last ran, by the machine's monotonic clock. Written by the main thread. */
  readonly seen: Float64Array;
  /** Renewals stop when the event loop of the main thread has been blocked for longer than this. */
  readonly maxStillMs: number;
}

/** No document or acceptance blocks the event loop for this long. */
const MAX_STILL_MS = 600_000;
const SEEN_EVERY_MS = 1000;

/** Renews the leases of all workers of a store in one thread, independently of the main thread. */
export class Heartbeat {
  readonly #path: string;
  readonly #maxStillMs: number;
  readonly #onLost = new Map<number, () => void>();
  #thread: Worker | null = null;
  #started: PromiseWithResolvers<void> | null = null;
  #seeing: NodeJS.Timeout | undefined;

  constructor(path: string, maxStillMs = MAX_STILL_MS) {
    this.#path = path;
    this.#maxStillMs = maxStillMs;
  }

  /** Resolves when leases can be renewed: on a busy machine, starting a thread may take longer than a lease lasts. */
  async ready(): Promise<void> {
    this.#thread ??= this.#open();
    await this.#started?.promise;
  }

  /** Starts renewing a lease. Calls `onLost` if the lease is found to have expired. */
  start(message: HeartbeatMessage & { readonly type: "start" }, onLost: () => void): void {
    this.#onLost.set(message.workerNo, onLost);
    this.#thread ??= this.#open();
    this.#thread.postMessage(message satisfies HeartbeatMessage);
  }

  stop(workerNo: number): void {
    this.#onLost.delete(workerNo);
    this.#thread?.postMessage({ type: "stop", workerNo } satisfies HeartbeatMessage);
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    clearInterval(this.#seeing);
    await thread?.terminate();
  }

  #open(): Worker {
    const program = programUrl("./heartbeat-thread", import.meta.url);
    const started = Promise.withResolvers<void>();
    this.#started = started;
    const seen = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
    const see = (): void => {
      seen[0] = monotonicMs();
    };
    see();
    clearInterval(this.#seeing);
    this.#seeing = setInterval(see, SEEN_EVERY_MS).unref();
    const workerData: HeartbeatData = { path: this.#path, seen, maxStillMs: this.#maxStillMs };
    const thread = new Worker(program, {
      workerData,
      // A thread might not support the flags of the process.
      execArgv: [],
    });
    thread.unref();
    thread.on("message", (message: number | "started") => {
      if (message === "started") started.resolve();
      else this.#onLost.get(message)?.();
    });
    // Without the thread, the leases expire. This is safe: the workers lose their jobs and are opened again.
    const end = (error: unknown): void => {
      started.reject(error);
      if (this.#thread === thread) this.#thread = null;
      for (const lost of [...this.#onLost.values()]) lost();
    };
    started.promise.catch(() => {});
    thread.on("error", end);
    thread.on("exit", () => end(new Error("The thread that renews leases has exited.")));
    return thread;
  }
}
