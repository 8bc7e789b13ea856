import type { QuireError } from "@quire/contracts";
import { LRUCache } from "lru-cache";
import { conversionTimeout, lanesLost, refusedForGood } from "./failures.ts";
import type { LaneFailure } from "./lane-failure.ts";
import type { Task } from "./task.ts";

/** A document that ended this many lanes is not retried. */
const MAX_STRIKES = 2;

/** A document that was in this many lost lanes is not retried. */
const MAX_LOST = 4;

/** Number of documents to remember. The least recently used are evicted first. */
const MAX_DOCUMENTS = 10_000;

/** Records which documents crashed or hung a lane, by the hash of their content. */
export class CrashStrikes {
  readonly #strikes = new LRUCache<string, number>({ max: MAX_DOCUMENTS });
  readonly #lost = new WeakMap<Task, number>();
  readonly #options: { readonly deadlineMs: number; readonly tempDir: string };

  /** `deadlineMs`: the time limit of a document. `tempDir`: the folder for temporary files. */
  constructor(options: { readonly deadlineMs: number; readonly tempDir: string }) {
    this.#options = options;
  }

  /** Whether the document must not be retried. */
  refuses(document: string): boolean {
    return (this.#strikes.get(document) ?? 0) >= MAX_STRIKES;
  }

  /** Whether a lane ended while it had this document alone. */
  suspects(document: string): boolean {
    return this.#strikes.has(document);
  }

  /**
   * Records that a lane ended while it had this task, and returns the error for it; null if it should be retried. A
   * document that was alone is considered the cause, unless the lane was lost.
   */
  verdict(task: Task, failure: LaneFailure, inGroup: boolean): QuireError | null {
    const { hash } = task;
    if (failure.end === "lost") {
      const lost = (this.#lost.get(task) ?? 0) + 1;
      this.#lost.set(task, lost);
      if (lost >= MAX_LOST) return lanesLost(failure, this.#options.tempDir);
    } else if (!inGroup) {
      this.#strikes.set(hash, (this.#strikes.get(hash) ?? 0) + 1);
      if (failure.end === "deadline") return conversionTimeout(this.#options.deadlineMs);
    }
    return this.refuses(hash) ? refusedForGood(failure) : null;
  }

  /** Records that the document was converted, so earlier lanes ended for other reasons. */
  clear(document: string): void {
    this.#strikes.delete(document);
  }
}
