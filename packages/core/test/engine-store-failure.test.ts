import { expect, test } from "vitest";
import { memoryJobStore, QuireError } from "../src/index.ts";
import { all, entry, makeEngine, place, request } from "./support/engine.ts";

test.each(["claim", "settle"] as const)(
  "an engine reports once that its job store fails to %s, and that it works again",
  async (method) => {
    const jobs = memoryJobStore();
    const { openWorker } = jobs;
    let failures = 3;
    const failing = async () => {
      throw new QuireError("job_store_failed", "There is no space left.", { retryable: true });
    };
    jobs.openWorker = async (options) => {
      const worker = await openWorker.call(jobs, options);
      const call = worker[method].bind(worker) as (...given: unknown[]) => Promise<never>;
      Object.assign(worker, {
        [method]: (...given: unknown[]) => (failures-- > 0 ? failing() : call(...given)),
      });
      return worker;
    };
    const reports: (string | null)[] = [];
    const onStoreFailure = (failure: QuireError | null) => {
      reports.push(failure?.message ?? null);
      throw new Error("A handler that throws changes nothing.");
    };
    await using engine = makeEngine({ storage: place(), jobs, onStoreFailure });
    const { id } = await engine.createBatch(request([entry("a")]));
    expect(await all(engine.jobs(id))).toMatchObject([{ status: "completed" }]);
    expect(reports).toEqual(["There is no space left.", null]);
  },
);
