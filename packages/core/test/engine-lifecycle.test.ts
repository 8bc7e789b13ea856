import { describe, expect, test } from "vitest";
import { refusal } from "../../contracts/test/support/refusal.ts";
import { type EngineEvent, QuireError, type Storage } from "../src/index.ts";
import {
  all,
  echoConverter,
  entry,
  makeEngine,
  names,
  place,
  request,
  withCreate,
} from "./support/engine.ts";

describe("concurrent batches", () => {
  test("are not affected when another batch in the same folder is aborted", async () => {
    const inner = place();
    const listing = Promise.withResolvers<void>();
    const storage: Storage = {
      ...withCreate(inner, (folder, name, bytes) => inner.create(folder, name, bytes)),
      async list(folder, options) {
        await listing.promise;
        return inner.list(folder, options);
      },
    };
    await using engine = makeEngine({ storage });
    const abort = new AbortController();
    const first = engine.createBatch(request([entry("a")]), { signal: abort.signal });
    const second = engine.createBatch(request([entry("b")]));
    abort.abort();
    listing.resolve();
    expect((await refusal(first)).code).toBe("aborted");
    expect((await all(engine.jobs((await second).id)))[0]?.status).toBe("completed");
  });

  test("are either rejected or finished by a concurrent close()", async () => {
    for (let turn = 0; turn < 20; turn++) {
      const storage = place();
      const engine = makeEngine({ storage });
      const accepted = engine.createBatch(request([entry("a")])).catch(() => null);
      for (let tick = 0; tick < turn; tick++) await null;
      await engine.close();
      const batch = await accepted;
      expect(await names(storage)).toEqual(batch === null ? [] : ["a.docx"]);
    }
  });

  test("get names that an earlier batch reserved and did not use", async () => {
    const held = Promise.withResolvers<void>();
    const inner = place();
    const storage = withCreate(inner, async (...file) => {
      if (file[1] === "z.docx") await held.promise;
      return inner.create(...file);
    });
    await using engine = makeEngine({ storage });
    const open = await engine.createBatch(request([entry("z")])); // keeps the folder in use
    const failing = await engine.createBatch(request([entry("a", { name: { x: 1 } })]));
    expect((await all(engine.jobs(failing.id)))[0]?.status).toBe("failed");
    const again = await engine.createBatch(request([entry("a")], { on_conflict: "fail" }));
    expect((await all(engine.jobs(again.id)))[0]?.outputFile?.name).toBe("a.docx");
    held.resolve();
    await all(engine.jobs(open.id));
  });

  test("get the next free number when others write the same names", async () => {
    const inner = place();
    const storage = withCreate(inner, async (folder, name, bytes, options) => {
      if (name === "a.docx" || name === "a (1).docx") {
        await inner.create(folder, name, Buffer.from("theirs")).catch(() => {});
      }
      return inner.create(folder, name, bytes, options);
    });
    await using engine = makeEngine({ storage });
    const batch = await engine.createBatch(request([entry("a")]));
    expect((await all(engine.jobs(batch.id)))[0]?.outputFile?.name).toBe("a (2).docx");
  });
});

describe("an engine", () => {
  test("that is closing rejects new batches and finishes the accepted batches", async () => {
    const storage = place();
    const engine = makeEngine({ storage });
    await engine.createBatch(request(Array.from({ length: 20 }, (_, index) => entry(`n${index}`))));
    const closing = engine.close();
    expect((await refusal(engine.createBatch(request([entry("x")])))).code).toBe("unavailable");
    await closing;
    expect(await names(storage)).toHaveLength(20);
  });

  test("whose close is aborted fails the unfinished jobs with a reason", async () => {
    const converter = echoConverter(
      (_, { signal } = {}) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(new QuireError("aborted", "Aborted.")));
        }),
    );
    const engine = makeEngine({ storage: place(), converter, concurrency: 1 });
    const batch = await engine.createBatch(
      request([entry("a"), entry("b"), entry("c"), entry("d")], { output_type: "pdf" }),
    );
    await engine.close({ signal: AbortSignal.timeout(20) });
    const jobs = await all(engine.jobs(batch.id));
    expect(jobs.map(({ failure }) => failure?.code)).toEqual([
      "aborted",
      "aborted",
      "aborted",
      "aborted",
    ]);
  });
});

test.each([0, -1, 1.5, Number.NaN])("an engine rejects a concurrency of %s", (concurrency) => {
  expect(() => makeEngine({ storage: place(), concurrency })).toThrow(/a positive integer/);
});

describe("an engine in memory with a handler of events", () => {
  test.each(["signal", "graceMs"])("that hangs closes with %s", async (option) => {
    const asked = Promise.withResolvers<void>();
    const engine = makeEngine({
      storage: place(),
      onEvent: () => {
        asked.resolve();
        return new Promise<void>(() => {});
      },
    });
    const { id } = await engine.createBatch(request([entry("a")]));
    await asked.promise;
    const signal = AbortSignal.timeout(50);
    await engine.close(option === "signal" ? { signal } : { graceMs: 50 });
    expect((await engine.getBatch(id)).status).toBe("finished");
  });

  test("that answers gets the events of the jobs that close has cancelled", async () => {
    const types: string[] = [];
    const converter = echoConverter(
      (_, { signal } = {}) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason));
        }),
    );
    const onEvent = ({ type }: EngineEvent) => void types.push(type);
    const engine = makeEngine({ storage: place(), converter, onEvent });
    await engine.createBatch(request([entry("a")], { output_type: "pdf" }));
    await expect.poll(() => types).toContain("job_started");
    await engine.close({ graceMs: 0 });
    expect(types.slice(-2)).toEqual(["job_failed", "batch_finished"]);
  });
});
