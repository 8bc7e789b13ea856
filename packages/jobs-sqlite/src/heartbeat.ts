import { Worker } from "node:worker_threads";

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

/** The thread comes from the file beside this one: `.ts` in the sources, `.js` in dist. */
const ENTRY = new URL(
  import.meta.url.endsWith(".ts") ? "./heartbeat-thread.ts" : "./heartbeat-thread.js",
  import.meta.url,
);

/** Renews the leases of a store's workers, in one thread for all of them. */
export class Heartbeat {
  readonly #path: string;
  readonly #onLost = new Map<number, () => void>();
  #thread: Worker | null = null;
  #started: PromiseWithResolvers<void> | null = null;

  constructor(path: string) {
    this.#path = path;
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
    await thread?.terminate();
  }

  #open(): Worker {
    const started = Promise.withResolvers<void>();
    this.#started = started;
    const thread = new Worker(ENTRY, {
      workerData: { path: this.#path },
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
