import type { CatalogFolder } from "@quire/core/host";
import { adoptExternal } from "./adopt-external.ts";
import type { CatalogContext } from "./catalog-context.ts";
import type { TenantRoot } from "./tenant-roots.ts";

/** Runs {@link adoptExternal} for folders, but never twice at the same time for the same folder. */
export interface Adoptions {
  /**
   * Updates the catalog, except for very recent changes: a run that has not ended yet, or that started within the last
   * two seconds, is sufficient.
   */
  recent(root: TenantRoot, folder: CatalogFolder): Promise<void>;
  /** Updates the catalog to its state at the time of this call or later. */
  fresh(root: TenantRoot, folder: CatalogFolder): Promise<void>;
}

/** Creates adoptions. `now` returns milliseconds since any fixed time. */
export function createAdoptions(context: CatalogContext, now: () => number): Adoptions {
  return new FolderAdoptions(context, now);
}

const RECENT_MS = 2000;
const MAX_KNOWN = 10_000;

interface Run {
  readonly startedAt: number;
  readonly ended: Promise<void>;
  /**
   * The next run, for callers that arrived during the current run and need a run that starts later; null if there is
   * none.
   */
  next: Promise<void> | null;
  isRunning: boolean;
}

class FolderAdoptions implements Adoptions {
  readonly #context: CatalogContext;
  readonly #now: () => number;
  readonly #runs = new Map<string, Run>();

  constructor(context: CatalogContext, now: () => number) {
    this.#context = context;
    this.#now = now;
  }

  recent(root: TenantRoot, folder: CatalogFolder): Promise<void> {
    const run = this.#runs.get(folder.id);
    const isRecent = run?.isRunning || (run && this.#now() - run.startedAt < RECENT_MS);
    return run && isRecent ? run.ended : this.#begin(root, folder);
  }

  fresh(root: TenantRoot, folder: CatalogFolder): Promise<void> {
    const run = this.#runs.get(folder.id);
    if (!run?.isRunning) return this.#begin(root, folder);
    run.next ??= run.ended.catch(() => {}).then(() => this.fresh(root, folder));
    return run.next;
  }

  #begin(root: TenantRoot, folder: CatalogFolder): Promise<void> {
    if (this.#runs.size >= MAX_KNOWN) this.#forgetEnded();
    const run: Run = {
      startedAt: this.#now(),
      next: null,
      isRunning: true,
      ended: adoptExternal(this.#context, root, folder).then(
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
