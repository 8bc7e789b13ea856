import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  type JobStore,
  type JobWorker,
  type JobWorkerOptions,
  QuireError,
  type Storage,
} from "@quire/contracts";
import type { EngineEvent } from "@quire/core";
import PizZip from "pizzip";
import { describe, expect, test } from "vitest";
import { docx } from "../../cli/test/support/docx.ts";
import { sqliteJobStore } from "../src/index.ts";
import { all, names, OUT, place, request } from "./support/engine.ts";

function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => "accepted",
    (error: QuireError) => error.code,
  );
}

/** Returns a storage that calls a hook before it creates a file. */
function beforeCreate(inner: Storage, hook: (name: string) => Promise<void> | void): Storage {
  return {
    read: (...args) => inner.read(...args),
    stat: (...args) => inner.stat(...args),
    find: (...args) => inner.find(...args),
    list: (...args) => inner.list(...args),
    remove: (...args) => inner.remove(...args),
    createFolder: (...args) => inner.createFolder(...args),
    removeFolder: (...args) => inner.removeFolder(...args),
    async create(folder, name, bytes, options) {
      await hook(name);
      return inner.create(folder, name, bytes, options);
    },
  };
}

/** Returns a job store that passes each worker to `change` when it is opened. */
function withWorkers(store: JobStore, change: (worker: JobWorker) => void): JobStore {
  const jobs: JobStore = Object.assign(Object.create(store), {
    async openWorker(options: JobWorkerOptions) {
      const worker = await store.openWorker(options);
      change(worker);
      return worker;
    },
  });
  for (const method of ["createBatch", "getBatch", "getJob", "listJobs", "close"] as const) {
    Object.assign(jobs, { [method]: (store[method] as () => unknown).bind(store) });
  }
  return jobs;
}

/** Returns a job store in which jobs are retried without delay. */
function withoutDelays(store: JobStore): JobStore {
  return withWorkers(store, (worker) => {
    const settle = worker.settle.bind(worker);
    worker.settle = (claim, outcome) =>
      settle(claim, outcome.type === "again" ? { ...outcome, delayMs: 0 } : outcome);
  });
}

/** Returns a job store whose `tidy` always reports more to do, so that an engine does not wait for the next round. */
function tidying(store: JobStore): JobStore {
  return withWorkers(store, (worker) => {
    const tidy = worker.tidy.bind(worker);
    worker.tidy = async () => {
      await tidy();
      return true;
    };
  });
}

const MANY = Array.from({ length: 40 }, (_, index) => `n${String(index).padStart(2, "0")}`);

describe.concurrent("an engine over a durable job store", () => {
  test("leaves waiting jobs to the next engine when it is closed", async (context) => {
    const { storage, engine } = await place(context);
    const slow = beforeCreate(storage, () => new Promise((done) => setTimeout(done, 20)));
    const first = engine({ storage: slow, concurrency: 1 });
    const batch = await first.createBatch(request(MANY));
    await first.close();
    const made = (await names(storage)).length;
    expect(made).toBeLessThan(40);
    const second = engine();
    const jobs = await all(second.jobs(batch.id));
    expect(jobs.map(({ status, outputFile }) => [status, outputFile?.name])).toEqual(
      MANY.map((name) => ["completed", `${name}.docx`]),
    );
    expect(await names(storage)).toHaveLength(40);
  });

  test("returns running jobs after the grace time, and rejects callers that wait for them", async (context) => {
    const { storage, engine } = await place(context);
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const stuck = beforeCreate(storage, () => {
      begun.resolve();
      return held.promise;
    });
    const first = engine({ storage: stuck, concurrency: 2 });
    const batch = await first.createBatch(request(["a", "b", "c"]));
    const waiting = codeOf(all(first.jobs(batch.id)));
    await begun.promise;
    setTimeout(held.resolve, 500);
    await first.close({ graceMs: 50 });
    expect(await waiting).toBe("unavailable");
    const jobs = await all(engine().jobs(batch.id));
    expect(jobs.map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
    expect(await names(storage)).toEqual(["a.docx", "b.docx", "c.docx"]);
  });

  test("uses the template that a batch was accepted with, also after a restart", async (context) => {
    const { storage, engine } = await place(context);
    const held = Promise.withResolvers<void>();
    const first = engine({ storage: beforeCreate(storage, () => held.promise), concurrency: 1 });
    const batch = await first.createBatch(request(MANY));
    await storage.remove({ type: "file", id: "letter.docx" });
    await storage.create({ type: "folder", id: "." }, "letter.docx", docx(["Changed {{name}}"]));
    held.resolve();
    await first.close();
    const jobs = await all(engine().jobs(batch.id));
    expect(new Set(jobs.map(({ status }) => status))).toEqual(new Set(["completed"]));
    for (const { outputFile } of jobs) {
      if (outputFile === null) continue;
      const { bytes } = await storage.read(outputFile.ref);
      expect(new PizZip(bytes).file("word/document.xml")?.asText()).toContain(">Dear ");
    }
  });

  test("reads included files again after a transient failure, and then keeps them", async (context) => {
    const { storage, engine } = await place(context);
    await storage.create(
      { type: "folder", id: "." },
      "main.docx",
      docx(['{{include "part.docx"}}']),
    );
    await storage.create({ type: "folder", id: "." }, "part.docx", docx(["Dear {{name}}"]));
    let reads = 0;
    const shaky: Storage = {
      ...beforeCreate(storage, () => {}),
      async read(file, options) {
        if (file.id !== "part.docx") return storage.read(file, options);
        reads += 1;
        if (reads === 1) throw new QuireError("storage_failed", "Slow down.", { retryable: true });
        return storage.read(file, options);
      },
    };
    const main = request(["a", "b"], { file: { type: "file", id: "main.docx" } });
    const first = engine({ storage: shaky });
    const batch = await first.createBatch(main);
    const jobs = await all(first.jobs(batch.id));
    expect(jobs.map(({ status, failure }) => [status, failure?.message])).toEqual([
      ["completed", undefined],
      ["completed", undefined],
    ]);
    expect(reads).toBe(2);
  });

  test("recognizes its own document although the response to its creation was lost", async (context) => {
    const { storage, engine } = await place(context);
    let failures = 0;
    const forgetful: Storage = {
      ...beforeCreate(storage, () => {}),
      async create(...args) {
        await storage.create(...args);
        failures += 1;
        throw new QuireError("storage_failed", "The response was lost.", { retryable: true });
      },
    };
    const first = engine({ storage: forgetful });
    const batch = await first.createBatch(request(["a"]));
    while (failures === 0) await new Promise((done) => setTimeout(done, 5));
    await first.close();
    const jobs = await all(engine().jobs(batch.id));
    expect(jobs.map(({ status, outputFile }) => [status, outputFile?.name])).toEqual([
      ["completed", "a.docx"],
    ]);
    expect(failures).toBe(1);
    expect(await names(storage)).toEqual(["a.docx"]);
  });
});

describe.concurrent("a request with an idempotency key", () => {
  test("creates one batch, however often and wherever it is submitted", async (context) => {
    const { storage, engine } = await place(context);
    const engines = [engine(), engine()] as const;
    const options = { idempotencyKey: "May" };
    const batches = await Promise.all(
      [0, 1, 0, 1, 0, 1].map((which) =>
        engines[which === 0 ? 0 : 1].createBatch(request(["a", "b"]), options),
      ),
    );
    expect(new Set(batches.map(({ id }) => id)).size).toBe(1);
    for (const each of engines) await each.close();
    const again = await engine().createBatch(request(["a", "b"]), options);
    expect(again.id).toBe(batches[0]?.id);
    const third = engine();
    await all(third.jobs(again.id));
    expect(await names(storage)).toEqual(["a.docx", "b.docx"]);
    expect(await codeOf(third.createBatch(request(["a", "c"]), options))).toBe("conflict");
    expect(await codeOf(third.createBatch(request(["a"], { locale: "de" }), options))).toBe(
      "conflict",
    );
    const other = await third.createBatch(request(["a"]), { ...options, tenant: "other" });
    expect(other.id).not.toBe(again.id);
  });

  test("is recognized even when its template and its folder are gone", async (context) => {
    const { storage, engine } = await place(context);
    const one = engine();
    const wanted = { ...request(["a"]), file: { type: "file", id: "out/other.docx" } } as const;
    await storage.create(OUT, "other.docx", docx(["Dear {{name}}"]));
    const batch = await one.createBatch(wanted, { idempotencyKey: "k" });
    await all(one.jobs(batch.id));
    await storage.remove(wanted.file);
    const again = await one.createBatch(wanted, { idempotencyKey: "k" });
    expect(again).toMatchObject({ id: batch.id, status: "finished" });
    for (const options of [{ idempotencyKey: "other" }, {}]) {
      await expect(one.createBatch(wanted, options)).rejects.toMatchObject({ code: "not_found" });
    }
  });

  test("is the same with any order of its keys, streamed or not", async (context) => {
    const { engine } = await place(context);
    const one = engine();
    const options = { idempotencyKey: "k" };
    const { document_generation_data: entries, ...settings } = request(["a"]);
    const first = await one.createBatch(request(["a"]), options);
    const turned = Object.fromEntries(Object.entries(settings).reverse()) as typeof settings;
    async function* stream() {
      for (const { user_input, generated_file_name } of entries)
        yield { user_input, generated_file_name };
    }
    const second = await one.createBatch(
      { ...turned, document_generation_data: stream() },
      options,
    );
    expect(second.id).toBe(first.id);
  });
});

describe.concurrent("a batch", () => {
  test("that is cancelled ends: finished documents are kept, and the other jobs fail with aborted", async (context) => {
    const { storage, engine } = await place(context);
    const slow = beforeCreate(storage, () => new Promise((done) => setTimeout(done, 10)));
    const one = engine({ storage: slow, concurrency: 1 });
    const batch = await one.createBatch(request(MANY));
    for await (const _ of one.jobs(batch.id)) break;
    expect(await one.cancelBatch(batch.id)).toMatchObject({ cancelled: true });
    const jobs = await all(one.jobs(batch.id));
    const made = jobs.filter(({ status }) => status === "completed");
    const codes = new Set(jobs.flatMap(({ failure }) => (failure === null ? [] : [failure.code])));
    expect([jobs.length, codes]).toEqual([40, new Set(["aborted"])]);
    expect(await names(storage)).toHaveLength(made.length);
    expect(await one.getBatch(batch.id)).toMatchObject({ status: "finished", cancelled: true });
  });

  test("that is cancelled after its engine died has the document that was created before", async (context) => {
    const { storage, engine } = await place(context);
    let created = 0;
    const dying: Storage = {
      ...beforeCreate(storage, () => {}),
      async create(...args) {
        await storage.create(...args);
        created += 1;
        // Simulates the end of the process here: the job store gets no report.
        throw new QuireError("storage_failed", "Ended.", { retryable: true });
      },
    };
    const first = engine({ storage: dying });
    const batch = await first.createBatch(request(["a"]));
    while (created === 0) await new Promise((done) => setTimeout(done, 5));
    await first.close();
    const second = engine();
    await second.cancelBatch(batch.id);
    const jobs = await all(second.jobs(batch.id));
    expect(jobs.map(({ status, outputFile }) => [status, outputFile?.name])).toEqual([
      ["completed", "a.docx"],
    ]);
  });

  test("retries only its failed jobs", async (context) => {
    const { storage, engine } = await place(context);
    let isBroken = true;
    const flaky = beforeCreate(storage, (name) => {
      if (isBroken && name !== "a.docx") throw new QuireError("storage_failed", "No space.");
    });
    const one = engine({ storage: flaky });
    const batch = await one.createBatch(request(["a", "b", "c"]));
    const first = await all(one.jobs(batch.id));
    expect(first.map(({ status }) => status)).toEqual(["completed", "failed", "failed"]);
    isBroken = false;
    // The jobs may have finished before the call returns.
    expect((await one.retryFailed(batch.id)).counts.failed).toBe(0);
    const second = await all(one.jobs(batch.id));
    expect(second.map(({ status, outputFile }) => [status, outputFile?.name])).toEqual([
      ["completed", "a.docx"],
      ["completed", "b.docx"],
      ["completed", "c.docx"],
    ]);
    expect(second[0]?.endedAt).toEqual(first[0]?.endedAt);
  });

  test("of ten entries does not wait for an earlier batch of thousands", async (context) => {
    const { storage, engine } = await place(context);
    const created: string[] = [];
    const watched = beforeCreate(storage, (name) => void created.push(name));
    const one = engine({ storage: watched, concurrency: 4 });
    const large = Array.from({ length: 3000 }, (_, index) => `large-${index}`);
    await one.createBatch(request(large), { tenant: "large" });
    const before = created.length;
    const small = await one.createBatch(request(MANY.slice(0, 10)), { tenant: "small" });
    await all(one.jobs(small.id));
    expect(created.slice(before).filter((name) => name.startsWith("large")).length).toBeLessThan(
      200,
    );
  });

  test("retries transient failures, but not forever", async (context) => {
    const { path, storage, engine } = await place(context);
    const tries: Record<string, number> = {};
    const flaky = beforeCreate(storage, (name) => {
      tries[name] = (tries[name] ?? 0) + 1;
      if (name === "b.docx" || tries[name] < 3) {
        throw new QuireError("storage_failed", "Busy.", { retryable: true });
      }
    });
    const jobs = withoutDelays(sqliteJobStore({ path }));
    const one = engine({ storage: flaky, jobs, maxPauseMs: 0 });
    const batch = await one.createBatch(request(["a", "b"]));
    const made = await all(one.jobs(batch.id));
    expect(made.map(({ status, attempts }) => [status, attempts])).toEqual([
      ["completed", 3],
      ["failed", 5],
    ]);
    expect(tries).toEqual({ "a.docx": 3, "b.docx": 5 });
  });
});

describe.concurrent("events", () => {
  test("are delivered in order, again after a failure, and by the next engine", async (context) => {
    const { storage, engine } = await place(context);
    const told: EngineEvent[] = [];
    let refusals = 0;
    const first = engine({
      storage: beforeCreate(storage, (name) => {
        if (name === "b.docx") throw new QuireError("storage_failed", "No space.");
      }),
      concurrency: 1,
      onEvent(event) {
        if (event.type === "job_started" && refusals++ === 0) throw new Error("not now");
        if (event.type === "batch_finished") throw new Error("never here");
        told.push(event);
      },
    });
    const batch = await first.createBatch(request(["a", "b"]));
    await all(first.jobs(batch.id));
    while (told.length < 5) await new Promise((done) => setTimeout(done, 10));
    await first.close({ graceMs: 200 });
    const rest: EngineEvent[] = [];
    const second = engine({ onEvent: (event) => void rest.push(event) });
    while (rest.length < 1) await new Promise((done) => setTimeout(done, 10));
    await second.close();
    const types = told.map((event) => event.type);
    expect(types[0]).toBe("batch_accepted");
    expect(types.slice(1).sort()).toEqual([
      "job_failed",
      "job_started",
      "job_started",
      "job_succeeded",
    ]);
    expect(rest).toEqual([
      expect.objectContaining({
        type: "batch_finished",
        batch: expect.objectContaining({ id: batch.id, status: "finished" }),
      }),
    ]);
    const sequences = [...told, ...rest].map(({ sequence }) => sequence);
    expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
    expect(refusals).toBeGreaterThan(1);
  });
});

test.concurrent.for(["answers", "never answers"])(
  "an engine whose event handler %s continues after a transient failure of its job store",
  async (answer, context) => {
    const { path, engine } = await place(context);
    let failures = 0;
    const jobs = withWorkers(sqliteJobStore({ path }), (worker) => {
      const claim = worker.claim.bind(worker);
      worker.claim = async (...args) => {
        if (failures++ === 0) throw new QuireError("job_store_failed", "The disk is full.");
        return claim(...args);
      };
    });
    const one = engine({
      jobs,
      onEvent: answer === "answers" ? () => {} : () => new Promise<void>(() => {}),
    });
    const batch = await one.createBatch(request(["a", "b"]));
    const made = await all(one.jobs(batch.id));
    expect(made.map(({ status }) => status)).toEqual(["completed", "completed"]);
    expect(failures).toBeGreaterThan(1);
  },
);

test.concurrent("close waits for an event handler that never returns only for the grace time", async (context) => {
  const { engine } = await place(context);
  let asked = 0;
  const first = engine({
    onEvent: () => {
      asked += 1;
      return new Promise<void>(() => {});
    },
  });
  const batch = await first.createBatch(request(["a"]));
  await all(first.jobs(batch.id));
  await first.close({ graceMs: 100 });
  expect(asked).toBe(1);
  const told: string[] = [];
  const second = engine({ onEvent: ({ type }) => void told.push(type) });
  while (told.length < 4) await new Promise((done) => setTimeout(done, 10));
  await second.close();
  expect(told).toEqual(["batch_accepted", "job_started", "job_succeeded", "batch_finished"]);
});

describe.concurrent("retention", () => {
  test("deletes finished batches, their data first, and keeps the documents", async (context) => {
    const { path, storage, engine } = await place(context);
    const one = engine({ keepFinishedMs: 0, jobs: tidying(sqliteJobStore({ path })) });
    const batch = await one.createBatch(request(["a"]));
    while ((await codeOf(one.getBatch(batch.id))) !== "not_found") {
      await new Promise((done) => setTimeout(done, 10));
    }
    expect(await names(storage)).toEqual(["a.docx"]);
    expect(await readdir(join(path, ".."))).toContain("jobs.db");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });
});
