import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type EngineEvent, memoryJobStore, QuireError } from "../src/index.ts";
import { entry, makeEngine, place, request } from "./support/engine.ts";

test("erasing a batch while its events are published does not delay events of other batches", async () => {
  const jobs = memoryJobStore();
  const events: EngineEvent[] = [];
  const last = Promise.withResolvers<void>();
  await using engine = makeEngine({
    storage: place(),
    jobs,
    onEvent: async (event) => {
      events.push(event);
      const { tenant } = event.batch;
      if (event.type === "batch_finished") await jobs.eraseTenant("a");
      if (event.type === "batch_finished" && tenant === "b") last.resolve();
    },
  });
  await engine.createBatch(request([entry("a")]), { tenant: "a" });
  await engine.createBatch(request([entry("b")]), { tenant: "b" });
  await last.promise;
  const ofB = events.filter(({ batch }) => batch.tenant === "b");
  expect(ofB.map(({ type }) => type)).toEqual([
    "batch_accepted",
    "job_started",
    "job_succeeded",
    "batch_finished",
  ]);
});

test("events are read in groups, and each group is marked while the next one is read", async () => {
  const jobs = memoryJobStore();
  const reads = { batches: 0, jobs: 0, taken: 0, marked: 0 };
  const { openWorker, getBatch, getJob } = jobs;
  jobs.getBatch = (id) => {
    reads.batches += 1;
    return getBatch.call(jobs, id);
  };
  jobs.getJob = (id, number) => {
    reads.jobs += 1;
    return getJob.call(jobs, id, number);
  };
  jobs.openWorker = async (options) => {
    const worker = await openWorker.call(jobs, options);
    const { takeEvents, tellEvents } = worker;
    worker.takeEvents = async (limit) => {
      const events = await takeEvents.call(worker, limit);
      if (events.length > 0) reads.taken += 1;
      return events;
    };
    worker.tellEvents = async (sequences) => {
      reads.marked += 1;
      await tellEvents.call(worker, sequences);
    };
    return worker;
  };
  const entries = Array.from({ length: 150 }, (_, index) => entry(`letter ${index}`));
  const held = Promise.withResolvers<void>();
  let delivered = 0;
  const engine = makeEngine({
    storage: place(),
    jobs,
    onEvent: async () => {
      await held.promise;
      delivered += 1;
    },
  });
  const { id } = await engine.createBatch(request(entries));
  for await (const _ of engine.jobs(id));
  Object.assign(reads, { batches: 0, jobs: 0, taken: 0, marked: 0 });
  held.resolve();
  await engine.close();
  expect(delivered).toBe(302);
  expect(reads.batches + reads.jobs).toBeLessThan(10);
  expect(reads.taken).toBeLessThanOrEqual(4);
  expect(reads.marked).toBeLessThanOrEqual(6);
});

test("a group of events survives a store that fails to mark the one before", async () => {
  const jobs = memoryJobStore();
  const { openWorker } = jobs;
  let failures = 2;
  jobs.openWorker = async (options) => {
    const worker = await openWorker.call(jobs, options);
    const { tellEvents } = worker;
    worker.tellEvents = async (sequences) => {
      if (failures-- > 0) throw new QuireError("job_store_failed", "The disk is full.");
      await tellEvents.call(worker, sequences);
    };
    return worker;
  };
  const delivered: number[] = [];
  const onEvent = ({ sequence }: EngineEvent) => void delivered.push(sequence);
  await using engine = makeEngine({ storage: place(), jobs, onEvent });
  const entries = Array.from({ length: 20 }, (_, index) => entry(`letter ${index}`));
  await engine.createBatch(request(entries));
  await expect.poll(() => delivered.length, { timeout: 20_000 }).toBe(42);
  expect(delivered).toEqual(delivered.toSorted((a, b) => a - b));
  expect(new Set(delivered).size).toBe(42);
  const other = await openWorker.call(jobs, {
    takes: "all",
    leaseMs: 15_000,
    keepFinishedMs: null,
  });
  expect(await other.takeEvents(100)).toEqual([]);
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

test("a handler of groups receives all events in order, many at once", async () => {
  const calls: (readonly EngineEvent[])[] = [];
  const finished = Promise.withResolvers<void>();
  {
    await using engine = makeEngine({
      storage: place(),
      onEvents: (events) => {
        calls.push(events);
        if (events.some(({ type }) => type === "batch_finished")) finished.resolve();
      },
    });
    const entries = Array.from({ length: 150 }, (_, index) => entry(`letter ${index}`));
    await engine.createBatch(request(entries));
    await finished.promise;
  }
  const sequences = calls.flat().map(({ sequence }) => sequence);
  expect(sequences).toHaveLength(302);
  expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
  expect(calls.length).toBeLessThan(150);
  expect(Math.max(...calls.map(({ length }) => length))).toBeLessThanOrEqual(100);
});

test("a group of events that the handler rejects is delivered again as a whole", async () => {
  const jobs = memoryJobStore();
  const groups: number[][] = [];
  const finished = Promise.withResolvers<void>();
  let failures = 2;
  await using engine = makeEngine({
    storage: place(),
    jobs,
    onEvents: async (events) => {
      groups.push(events.map(({ sequence }) => sequence));
      if (failures-- > 0) throw new Error("The database is away.");
      if (events.some(({ type }) => type === "batch_finished")) finished.resolve();
    },
  });
  await engine.createBatch(request([entry("a"), entry("b")]));
  await finished.promise;
  const [first, second, third] = groups;
  expect(second).toEqual(first);
  expect(third).toEqual(first);
  expect(groups.slice(2).flat()).toEqual([...new Set(groups.flat())]);
});

test("an engine has one handler of events", () => {
  const onEvent = () => {};
  expect(() => makeEngine({ storage: place(), onEvent, onEvents: onEvent })).toThrow(
    "createEngine() has both options onEvent and onEvents. Pass one of them.",
  );
});
