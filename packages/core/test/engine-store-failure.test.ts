import type { JobWorker } from "@quire/contracts";
import { expect, test } from "vitest";
import { type EngineEvent, memoryJobStore, QuireError } from "../src/index.ts";
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

test.each(["claim", "takeEvents"] as const)(
  "if the answer of %s is lost, another worker gets its contents",
  async (method) => {
    const jobs = memoryJobStore();
    const { openWorker } = jobs;
    const open = new Set<JobWorker>();
    let lost = 0;
    jobs.openWorker = async (options) => {
      const worker = await openWorker.call(jobs, options);
      const call = worker[method].bind(worker) as (...given: unknown[]) => Promise<unknown>;
      const close = worker.close.bind(worker);
      open.add(worker);
      return Object.assign(worker, {
        async [method](...given: unknown[]) {
          const answer = await call(...given);
          const { length } = Array.isArray(answer) ? answer : (answer as { jobs: [] }).jobs;
          if (length === 0 || lost === 3) return answer;
          lost += 1;
          throw new QuireError("job_store_failed", "The connection is closed.", {
            retryable: true,
          });
        },
        close: () => {
          open.delete(worker);
          return close();
        },
      });
    };
    const events: EngineEvent[] = [];
    await using engine = makeEngine({
      storage: place(),
      jobs,
      onEvent: (event) => void events.push(event),
    });
    const { id } = await engine.createBatch(request([entry("a"), entry("b"), entry("c")]));
    expect(await all(engine.jobs(id))).toHaveLength(3);
    await expect.poll(() => events.at(-1)?.type, { timeout: 15_000 }).toBe("batch_finished");
    expect(lost).toBe(3);
    expect(open.size).toBe(1);
    const sequences = events.map(({ sequence }) => sequence);
    expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b));
    expect(events.filter(({ type }) => type === "job_succeeded")).toHaveLength(3);
  },
);

test("an idle engine reports that its job store works again", async () => {
  const jobs = memoryJobStore();
  const { openWorker } = jobs;
  let failures = 0;
  jobs.openWorker = async (options) => {
    const worker = await openWorker.call(jobs, options);
    const takeEvents = worker.takeEvents.bind(worker);
    worker.takeEvents = async (limit) => {
      if (failures-- > 0) throw new QuireError("job_store_failed", "The server is away.");
      return takeEvents(limit);
    };
    return worker;
  };
  const reports: (string | null)[] = [];
  await using engine = makeEngine({
    storage: place(),
    jobs,
    onEvent: () => {},
    onStoreFailure: (failure) => void reports.push(failure?.message ?? null),
  });
  const { id } = await engine.createBatch(request([entry("a")]));
  await all(engine.jobs(id));
  failures = 1;
  await expect.poll(() => reports, { timeout: 10_000 }).toEqual(["The server is away.", null]);
});
