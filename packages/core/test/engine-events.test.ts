import { expect, test } from "vitest";
import { type EngineEvent, memoryJobStore } from "../src/index.ts";
import { entry, makeEngine, place, request } from "./support/engine.ts";

test("events of a batch that is removed meanwhile do not keep back those of others", async () => {
  const jobs = memoryJobStore();
  const removed = new Set<string>();
  const { getBatch } = jobs;
  jobs.getBatch = async (id) => (removed.has(id) ? null : getBatch.call(jobs, id));
  const events: EngineEvent[] = [];
  const last = Promise.withResolvers<void>();
  await using engine = makeEngine({
    storage: place(),
    jobs,
    onEvent: (event) => {
      events.push(event);
      // The events after this one may have been taken with it.
      if (events.length === 1) removed.add(event.batch.id);
      else if (event.type === "batch_finished") last.resolve();
    },
  });
  await engine.createBatch(request([entry("a")]));
  const { id } = await engine.createBatch(request([entry("b")]));
  await last.promise;
  expect(new Set(events.slice(1).map(({ batch }) => batch.id))).toEqual(new Set([id]));
  expect(events.map(({ type }) => type)).toEqual([
    "batch_accepted",
    "batch_accepted",
    "job_started",
    "job_succeeded",
    "batch_finished",
  ]);
});
