import type { CatalogFolder } from "@quire/core/host";
import type { CatalogContext } from "./context.ts";
import type { Home } from "./homes.ts";
import { pickUp } from "./pick-up.ts";

/** Picks up folders of the storage. A folder is never picked up twice at the same time. */
export interface PickUps {
  /** The folder as of a moment ago: uses a pick-up that is running or started within the last two seconds. */
  recent(home: Home, folder: CatalogFolder): Promise<void>;
  /** The folder as of the call or later. */
  fresh(home: Home, folder: CatalogFolder): Promise<void>;
}

/** `now` returns milliseconds since any fixed time. */
export function createPickUps(context: CatalogContext, now: () => number): PickUps {
  return new FolderPickUps(context, now);
}

const RECENT_MS = 2000;
const MAX_KNOWN = 10_000;

interface Run {
  readonly begunAt: number;
  readonly ended: Promise<void>;
  /** A pick-up for callers that came during this one and need a later start. */
  next: Promise<void> | null;
  isRunning: boolean;
}

class FolderPickUps implements PickUps {
  readonly #context: CatalogContext;
  readonly #now: () => number;
  readonly #runs = new Map<string, Run>();

  constructor(context: CatalogContext, now: () => number) {
    this.#context = context;
    this.#now = now;
  }

  recent(home: Home, folder: CatalogFolder): Promise<void> {
    const run = this.#runs.get(folder.id);
    const isRecent = run?.isRunning || (run && this.#now() - run.begunAt < RECENT_MS);
    return run && isRecent ? run.ended : this.#begin(home, folder);
  }

  fresh(home: Home, folder: CatalogFolder): Promise<void> {
    const run = this.#runs.get(folder.id);
    if (!run?.isRunning) return this.#begin(home, folder);
    run.next ??= run.ended.catch(() => {}).then(() => this.fresh(home, folder));
    return run.next;
  }

  #begin(home: Home, folder: CatalogFolder): Promise<void> {
    if (this.#runs.size >= MAX_KNOWN) this.#forgetEnded();
    const run: Run = {
      begunAt: this.#now(),
      next: null,
      isRunning: true,
      ended: pickUp(this.#context, home, folder).then(
        () => {
          run.isRunning = false;
        },
        (error: unknown) => {
          run.isRunning = false;
          if (this.#runs.get(folder.id) === run) this.#runs.delete(folder.id);
          throw error;
        },
      ),
    };
    this.#runs.set(folder.id, run);
    return run.ended;
  }

  #forgetEnded(): void {
    for (const [id, run] of this.#runs) if (!run.isRunning) this.#runs.delete(id);
  }
}
