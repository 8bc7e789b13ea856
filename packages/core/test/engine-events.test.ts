import { expect, test } from "vitest";
import { type EngineEvent, memoryJobStore } from "../src/index.ts";
import { entry, makeEngine, place, request } from "./support/engine.ts";

test("removing a batch while its events are published does not delay events of other batches", async () => {
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
      // The same read may already have returned later events.
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
