/** When an engine asks its job store for work, and for how much. */
import { setTimeout as sleep } from "node:timers/promises";
import type { JobStore, JobWorker } from "@quire/contracts";
import { expect, test } from "vitest";
import { acceptId, newJobs } from "../../conformance/src/job-store/samples.ts";
import { memoryJobStore, QuireError } from "../src/index.ts";
import {
  all,
  entry,
  makeEngine,
  place,
  request,
  template as TEMPLATE,
  withCreate,
} from "./support/engine.ts";

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

/** Makes a store that has no news, and whose waits end only when `end` is called. */
function deaf(jobs: JobStore): { readonly claims: () => number; readonly end: () => void } {
  let claims = 0;
  const ends = new Set<() => void>();
  changeWorkers(jobs, (worker) => {
    const claim = worker.claim.bind(worker);
    worker.claim = (limit, options) => {
      claims += 1;
      return claim(limit, options);
    };
    worker.waitForWork = (_, signal) =>
      new Promise((resolve) => {
        ends.add(resolve);
        signal?.addEventListener("abort", () => resolve());
      });
  });
  return {
    claims: () => claims,
    end: () => {
      for (const end of ends) end();
    },
  };
}

test("an idle engine asks for work only when its job store may have some", async () => {
  const jobs = memoryJobStore();
  const waits = deaf(jobs);
  await using engine = makeEngine({ storage: place(), jobs });
  const { id } = await engine.createBatch(letters(1));
  await all(engine.jobs(id));
  await sleep(50);
  const before = waits.claims();
  const template = { type: "file", id: "letter.docx", version: "1" } as const;
  const { document_generation_data, ...settings } = letters(0);
  const other = await acceptId(jobs, newJobs(1), {
    template,
    templateBytes: TEMPLATE,
    settings: JSON.stringify(settings),
  });
  await sleep(200);
  expect(waits.claims()).toBe(before);
  waits.end();
  expect(await all(engine.jobs(other))).toMatchObject([{ status: "completed_with_error" }]);
});

test("an engine notices its own batches, ends and retries without its job store", async () => {
  const jobs = Object.assign(memoryJobStore(), { group: 2 });
  deaf(jobs);
  const inner = place();
  let failures = 2;
  const storage = withCreate(inner, (folder, name, bytes, options) => {
    if (name === "letter 7.docx" && failures-- > 0)
      throw new QuireError("storage_failed", "The disk is gone.", { retryable: true });
    return inner.create(folder, name, bytes, options);
  });
  await using engine = makeEngine({ storage, jobs, concurrency: 3 });
  const batches = [await engine.createBatch(letters(30)), await engine.createBatch(letters(20))];
  for (const { id } of batches)
    expect(new Set((await all(engine.jobs(id))).map(({ status }) => status))).toEqual(
      new Set(["completed"]),
    );
  expect(failures).toBeLessThan(1);
});
