import assert from "node:assert/strict";
import type { JobStore } from "@quire/contracts";

/** A new, empty store for one case of `jobStoreConformance`. */
export interface JobStoreFixture {
  /** The store under test, without batches. The case may close it. The suite always closes it after the case. */
  readonly store: JobStore;
  /**
   * Opens another handle to the same store, as another process would. If absent (a store in memory has only one
   * handle), the cases about two handles use `store` twice. The suite closes the handles.
   */
  readonly open?: () => Promise<JobStore> | JobStore;
  /**
   * Breaks the connections of all handles, or restarts the medium, while calls may be under way. Resolves when the
   * medium can be used again. If absent (a store in memory or in a local file), the cases about interruptions do
   * nothing.
   */
  readonly interrupt?: () => Promise<void>;
  /** Opens a separate store with a limit for waiting jobs. For a store without a limit, skip those cases. */
  readonly openSmall?: (maxWaiting: number) => Promise<JobStore> | JobStore;
  /** Called after the case, even if the case fails, once all handles are closed. */
  readonly destroy?: () => Promise<void> | void;
}

/** The environment of a case. */
export interface JobPlace {
  readonly store: JobStore;
  /** Another handle to the same store, or the same handle if there is only one. */
  readonly other: JobStore;
  /** Whether `other` is a separate handle. */
  readonly isShared: boolean;
  /** Opens another handle. Returns `store` if the store can have only one handle. */
  readonly open: () => Promise<JobStore>;
  readonly openSmall: (maxWaiting: number) => Promise<JobStore>;
  /** Interrupts all handles; null if the fixture cannot. */
  readonly interrupt: (() => Promise<void>) | null;
  /** Closes every handle. */
  readonly release: () => Promise<void>;
}

/** The body of a case; throws if the store breaks the contract. */
export type JobStoreCase = (place: JobPlace) => Promise<void>;

/** Creates the environment of a case from its fixture. */
export async function jobPlace(fixture: JobStoreFixture): Promise<JobPlace> {
  const { store, destroy } = fixture;
  const handles = [store];
  const opened = async (handle: Promise<JobStore> | JobStore): Promise<JobStore> => {
    handles.push(await handle);
    return handle;
  };
  const open = async (): Promise<JobStore> =>
    fixture.open === undefined ? store : opened(fixture.open());
  return {
    store,
    other: await open(),
    isShared: fixture.open !== undefined,
    interrupt: fixture.interrupt ?? null,
    open,
    openSmall: async (maxWaiting) => {
      assert.ok(fixture.openSmall, "The fixture has no openSmall: skip this case by its name.");
      return opened(fixture.openSmall(maxWaiting));
    },
    release: async () => {
      for (const handle of handles) await handle.close();
      await destroy?.();
    },
  };
}
