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

  constructor(path: string) {
    this.#path = path;
  }

  /** Begins to renew a lease. `onLost` is called when it was found to have run out. */
  start(message: HeartbeatMessage & { readonly type: "start" }, onLost: () => void): void {
    this.#onLost.set(message.workerNo, onLost);
    this.#open().postMessage(message satisfies HeartbeatMessage);
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
    if (this.#thread !== null) return this.#thread;
    const thread = new Worker(ENTRY, {
      workerData: { path: this.#path },
      // The flags of the process may be none that a thread takes.
      execArgv: [],
    });
    thread.unref();
    thread.on("message", (workerNo: number) => this.#onLost.get(workerNo)?.());
    // Without it the leases run out, which is safe: the workers lose what they have and open anew.
    thread.on("error", () => {
      if (this.#thread === thread) this.#thread = null;
      for (const lost of [...this.#onLost.values()]) lost();
    });
    this.#thread = thread;
    return thread;
  }
}
