/** When an engine asks its job store for work, and for how much. */
import type { JobStore, JobWorker } from "@quire/contracts";
import { expect, test } from "vitest";
import { memoryJobStore } from "../src/index.ts";
import { all, entry, makeEngine, place, request } from "./support/engine.ts";

/** Calls `change` with each worker that is opened on the store. */
function changeWorkers(jobs: JobStore, change: (worker: JobWorker) => void): void {
  const { openWorker } = jobs;
  jobs.openWorker = async (options) => {
    const worker = await openWorker.call(jobs, options);
    change(worker);
    return worker;
  };
}

/** Returns a batch request with this number of entries. */
function letters(count: number) {
  return request(Array.from({ length: count }, (_, index) => entry(`letter ${index}`)));
}

test.each([
  [3, 100, 3],
  [40, 100, 40],
  [40, 5, 5],
])(
  "with groups of %i and a concurrency of %i, an engine claims up to %i jobs at a time",
  async (group, concurrency, expected) => {
    const jobs = Object.assign(memoryJobStore(), { group });
    const limits = new Set<number>();
    changeWorkers(jobs, (worker) => {
      const claim = worker.claim.bind(worker);
      worker.claim = (limit, options) => {
        limits.add(limit);
        return claim(limit, options);
      };
    });
    await using engine = makeEngine({ storage: place(), jobs, concurrency });
    const { id } = await engine.createBatch(letters(60));
    expect(await all(engine.jobs(id))).toHaveLength(60);
    expect([...limits]).toEqual([expected]);
  },
);
