import { MAX_EVENT_WAIT_MS } from "@quire/contracts";
import { describe, expect, test, vi } from "vitest";
import { jobStoreConformance } from "../../conformance/src/job-store/job-store.ts";
import { acceptId, newJobs, openWorker } from "../../conformance/src/job-store/samples.ts";
import { memoryJobStore } from "../src/memory/job-store.ts";
import { registerJobStoreCases } from "./support/job-store-cases.ts";

describe("memoryJobStore keeps the contract of JobStore:", () => {
  registerJobStoreCases((test) =>
    jobStoreConformance({
      test,
      fixture: () => ({
        store: memoryJobStore(),
        openSmall: (maxWaiting) => memoryJobStore({ maxWaiting }),
      }),
    }),
  );
});

test("events that nobody takes keep their batch for a limited time", async () => {
  const store = memoryJobStore();
  const id = await acceptId(store, newJobs(1), { withEvents: true });
  await store.cancelBatch(id);
  const worker = await openWorker(store, { keepFinishedMs: 60_000 });
  const start = Date.now();
  const clock = vi.spyOn(Date, "now");
  const after = async (ms: number) => {
    clock.mockReturnValue(start + ms);
    await worker.tidy();
    return (await store.getBatch(id))?.status ?? null;
  };
  expect(await after(MAX_EVENT_WAIT_MS)).toBe("finished");
  expect(await after(MAX_EVENT_WAIT_MS + 61_000)).toBe(null);
  expect(await worker.takeEvents(10)).toEqual([]);
  clock.mockRestore();
});
