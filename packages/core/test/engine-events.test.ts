import { setTimeout as sleep } from "node:timers/promises";
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

test("events that a handler accepts at once are marked as delivered together", async () => {
  const jobs = memoryJobStore();
  const marked: number[][] = [];
  const { openWorker } = jobs;
  jobs.openWorker = async (options) => {
    const worker = await openWorker.call(jobs, options);
    const { tellEvents } = worker;
    worker.tellEvents = async (sequences) => {
      marked.push([...sequences]);
      // Like a write to disk, this takes longer than the handler.
      await sleep(20);
      await tellEvents.call(worker, sequences);
    };
    return worker;
  };
  const delivered: number[] = [];
  const finished = Promise.withResolvers<void>();
  {
    await using engine = makeEngine({
      storage: place(),
      jobs,
      onEvent: ({ sequence, type }) => {
        delivered.push(sequence);
        if (type === "batch_finished") finished.resolve();
      },
    });
    const entries = Array.from({ length: 20 }, (_, index) => entry(`letter ${index}`));
    await engine.createBatch(request(entries));
    await finished.promise;
  }
  expect(delivered).toHaveLength(42);
  expect(marked.flat()).toEqual(delivered);
  expect(marked.length).toBeLessThan(delivered.length / 2);
});
