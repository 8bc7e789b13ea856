import { setTimeout as sleep } from "node:timers/promises";
import { type JobStore, type JobWorker, QuireError } from "@quire/contracts";
import { changed } from "./changed-store.ts";

/** How long a store cannot be reached after an interruption. */
const DOWN_MS = 20;
/** How long a request and its answer are under way. */
const REQUEST_MS = 1;
const ANSWER_MS = 4;
/** How long a worker keeps its jobs whose end the store has not heard of. */
const LEASE_MS = 100;

const WORKER_CALLS = [
  "claim",
  "setBegun",
  "note",
  "rename",
  "settle",
  "takeEvents",
  "tellEvents",
  "tidy",
] as const;
const STORE_CALLS = [
  "createBatch",
  "getBatch",
  "listBatches",
  "getJob",
  "listJobs",
  "cancelBatch",
  "retryFailed",
  "holdTenant",
  "eraseTenant",
] as const;

/** Puts a connection between a store and its handles, which can be interrupted. */
export class Connection {
  #interruptions = 0;
  #isDown = false;

  /** Breaks the connection: requests that are under way do not arrive, or their answers are lost. */
  async interrupt(): Promise<void> {
    this.#interruptions += 1;
    this.#isDown = true;
    await sleep(DOWN_MS);
    this.#isDown = false;
  }

  /** Returns a handle to the store. Closing it leaves the store open if `isOwner` is false. */
  handle(store: JobStore, isOwner: boolean): JobStore {
    const changes: Partial<JobStore> = {
      openWorker: async (options) =>
        this.#worker(await this.#send(() => store.openWorker(options))),
      close: async () => (isOwner ? store.close() : undefined),
    };
    return changed(store, { ...this.#calls(store, STORE_CALLS), ...changes });
  }

  #worker(worker: JobWorker): JobWorker {
    const close = async (): Promise<void> => {
      try {
        await this.#send(() => worker.close());
      } catch (error) {
        setTimeout(() => void worker.close(), LEASE_MS);
        throw error;
      }
    };
    return changed(worker, { ...this.#calls(worker, WORKER_CALLS), close });
  }

  #calls<T extends object>(target: T, names: readonly (keyof T & string)[]): Partial<T> {
    const calls = names.map((name) => {
      const call = (target[name] as (...given: unknown[]) => Promise<unknown>).bind(target);
      return [name, (...given: unknown[]) => this.#send(() => call(...given))];
    });
    return Object.fromEntries(calls) as Partial<T>;
  }

  /** Sends a request and returns its answer. */
  async #send<T>(request: () => Promise<T>): Promise<T> {
    const before = this.#interruptions;
    await this.#travel(REQUEST_MS, before);
    const answer = await request();
    await this.#travel(ANSWER_MS, before);
    return answer;
  }

  async #travel(ms: number, before: number): Promise<void> {
    await sleep(ms);
    if (!this.#isDown && this.#interruptions === before) return;
    throw new QuireError("job_store_failed", "The connection is closed.", { retryable: true });
  }
}
