import { Worker } from "node:worker_threads";
import { monotonicMs } from "./machine.ts";

/** What the thread is told. */
export type HeartbeatMessage =
  | {
      readonly type: "start";
      readonly workerNo: number;
      readonly leaseMs: number;
      readonly renewMs: number;
      /** Until when the lease holds, by the machine's monotonic clock; the thread writes it. */
      readonly deadline: Float64Array;
    }
  | { readonly type: "stop"; readonly workerNo: number };

/** What the thread begins with. */
export interface HeartbeatData {
  readonly path: string;
  /** When the main thread was last seen at work, by the machine's monotonic clock; that one writes it. */
  readonly seen: Float64Array;
  /** After so long without that nothing is renewed. */
  readonly maxStillMs: number;
}

/** No document and no acceptance keeps the event loop for so long. */
const MAX_STILL_MS = 600_000;
const SEEN_EVERY_MS = 1000;

/** The thread comes from the file beside this one: `.ts` in the sources, `.js` in dist. */
const ENTRY = new URL(
  import.meta.url.endsWith(".ts") ? "./heartbeat-thread.ts" : "./heartbeat-thread.js",
  import.meta.url,
);

/** Renews the leases of a store's workers, in one thread for all of them, while the main thread goes on. */
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

  /** Resolves when leases can be renewed: on a busy machine a thread may take longer to start than a lease lasts. */
  async ready(): Promise<void> {
    this.#thread ??= this.#open();
    await this.#started?.promise;
  }

  /** Begins to renew a lease. `onLost` is called when it was found to have run out. */
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
    const thread = new Worker(ENTRY, {
      workerData,
      // The flags of the process may be none that a thread takes.
      execArgv: [],
    });
    thread.unref();
    thread.on("message", (message: number | "started") => {
      if (message === "started") started.resolve();
      else this.#onLost.get(message)?.();
    });
    // Without it the leases run out, which is safe: the workers lose what they have and open anew.
    const end = (error: unknown): void => {
      started.reject(error);
      if (this.#thread === thread) this.#thread = null;
      for (const lost of [...this.#onLost.values()]) lost();
    };
    started.promise.catch(() => {});
    thread.on("error", end);
    thread.on("exit", () => end(new Error("The thread that renews leases has ended.")));
    return thread;
  }
}
