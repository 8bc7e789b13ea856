import { AssertionError } from "node:assert";
import { isQuireError, type JobStore } from "@quire/contracts";
import { expect, test } from "vitest";
import { memoryJobStore } from "../../../core/src/memory/job-store.ts";
import { jobStoreConformance } from "../../src/job-store/job-store.ts";
import { changed } from "./changed-store.ts";
import { Connection } from "./interruptible-store.ts";
import type { Mutant } from "./job-store-mutants.ts";

/** The cases of the suite by name. Each runs on the given store. */
const CASES = new Map<string, (store: JobStore) => Promise<void>>();
for (const interrupted of [false, true]) {
  let store: JobStore = memoryJobStore();
  jobStoreConformance({
    test: (name, body) => {
      const run = async (changedStore: JobStore): Promise<void> => {
        store = changedStore;
        await body();
      };
      if (interrupted === /interruption/.test(name)) CASES.set(name, run);
    },
    // The case calls this function before anything else, so that the cases may run concurrently.
    fixture: () => {
      const connection = new Connection();
      const own = store;
      const handle = (isOwner: boolean): JobStore => {
        if (interrupted) return connection.handle(own, isOwner);
        return isOwner ? own : changed(own, { close: async () => {} });
      };
      return {
        store: handle(true),
        open: () => handle(false),
        openSmall: (maxWaiting) => memoryJobStore({ maxWaiting }),
        ...(interrupted ? { interrupt: () => connection.interrupt() } : {}),
      };
    },
  });
}

/** Checks for each mutant that a case fails, and passes for a store without the fault. */
export function registerMutants(mutants: readonly Mutant[]): void {
  test.concurrent.each(mutants)(
    "the suite notices a store that $fault",
    async ({ found, change }) => {
      const run = CASES.get(found);
      if (run === undefined) throw new Error(`There is no case ${JSON.stringify(found)}.`);
      await run(memoryJobStore());
      const error: unknown = await run(change(memoryJobStore())).catch((thrown: unknown) => thrown);
      expect(error).toSatisfy((thrown) => thrown instanceof AssertionError || isQuireError(thrown));
    },
    120_000,
  );
}
