import { AsyncLocalStorage } from "node:async_hooks";
import { describe, expect, test } from "vitest";
import { refusal } from "../../contracts/test/support/refusal.ts";
import { png } from "../../ooxml/test/support/pictures.ts";
import {
  type JobStep,
  memoryJobStore,
  QuireError,
  type StepObserver,
  type Storage,
} from "../src/index.ts";
import {
  all,
  echoConverter,
  entry,
  makeEngine,
  place,
  request,
  withCreate,
} from "./support/engine.ts";

const TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/** Returns a converter that returns its input. */
function converter() {
  return echoConverter(async (bytes) => ({
    bytes: Uint8Array.from(bytes),
    pages: 1,
    warnings: [],
    fingerprint: { name: "echo", version: "1", fonts: "none" } as never,
  }));
}

/** Returns an observer that records the start and end of each step in order. */
function notes() {
  const seen: string[] = [];
  const steps: JobStep[] = [];
  const observe: StepObserver = async (step, run) => {
    steps.push(step);
    seen.push(`${step.name} begins`);
    try {
      const result = await run();
      seen.push(`${step.name} ends`);
      return result;
    } catch (error) {
      seen.push(`${step.name} fails`);
      throw error;
    }
  };
  return { seen, steps, observe };
}

describe("an observer", () => {
  test("sees the steps of each job, nested in its attempt", async () => {
    const { seen, steps, observe } = notes();
    const options = { storage: place(), converter: converter() };
    await using engine = makeEngine({ ...options, observe });
    const more = { tenant: "acme", trace: TRACE };
    const { id } = await engine.createBatch(request([entry("a")], { output_type: "pdf" }), more);
    await all(engine.jobs(id));
    expect(seen).toEqual([
      "job begins",
      "render begins",
      "render ends",
      "convert begins",
      "convert ends",
      "store begins",
      "store ends",
      "job ends",
    ]);
    for (const step of steps) {
      expect(step).toEqual({
        name: step.name,
        jobId: `${id}-1`,
        batchId: id,
        tenant: "acme",
        outputType: "pdf",
        trace: TRACE,
      });
    }
  });

  test("sees which step fails, and no conversion for Word output", async () => {
    const { seen, steps, observe } = notes();
    const options = { storage: place() };
    await using engine = makeEngine({ ...options, observe, concurrency: 1 });
    const entries = [entry("a", { name: { x: 1 } }), entry("b")];
    const { id } = await engine.createBatch(request(entries));
    await all(engine.jobs(id));
    expect(seen).toEqual([
      "job begins",
      "render begins",
      "render fails",
      "job fails",
      "job begins",
      "render begins",
      "render ends",
      "store begins",
      "store ends",
      "job ends",
    ]);
    expect(steps[0]?.trace).toBeNull();
  });

  test("sees each attempt at a job", async () => {
    const { seen, observe } = notes();
    const inner = place();
    let failures = 1;
    const storage = withCreate(inner, async (...file) => {
      if (failures-- > 0) {
        throw new QuireError("storage_failed", "The disk is busy.", { retryable: true });
      }
      return inner.create(...file);
    });
    await using engine = makeEngine({ storage, observe });
    const { id } = await engine.createBatch(request([entry("a")]));
    expect(await all(engine.jobs(id))).toMatchObject([{ status: "completed", attempts: 2 }]);
    expect(seen.filter((each) => each.startsWith("job"))).toEqual([
      "job begins",
      "job fails",
      "job begins",
      "job ends",
    ]);
  });

  const troubles: readonly [string, StepObserver][] = [
    [
      "throws at once",
      () => {
        throw new Error("observer");
      },
    ],
    ["rejects before it runs the step", () => Promise.reject(new Error("observer"))],
    [
      "rejects after it has run the step",
      async (_step, run) => {
        await run();
        throw new Error("observer");
      },
    ],
    ["never resolves", () => new Promise(() => {})],
    [
      "resolves after a delay",
      async (_step, run) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        return run();
      },
    ],
    [
      "runs the step twice",
      async (_step, run) => {
        await Promise.all([run(), run()]);
        return run();
      },
    ],
    ["returns something else", async () => ({ bytes: "nonsense" }) as never],
    ["returns no promise", () => undefined as never],
    [
      "swallows the failure of the step",
      async (_step, run) => run().catch(() => undefined as never),
    ],
  ];
  test.each(troubles)("that %s does not affect the jobs", async (_, observe) => {
    const created: string[] = [];
    const inner = place();
    const storage = withCreate(inner, (folder, name, ...rest) => {
      created.push(name);
      return inner.create(folder, name, ...rest);
    });
    await using engine = makeEngine({ storage, observe });
    const entries = [entry("a"), entry("b", { name: { x: 1 } })];
    const { id } = await engine.createBatch(request(entries));
    expect(await all(engine.jobs(id))).toMatchObject([
      { status: "completed", attempts: 1 },
      { status: "failed", failure: { code: "invalid_data" }, attempts: 1 },
    ]);
    expect(created).toEqual(["a.docx"]);
  });

  test("sets the async context of its step, and runs outside the context of the caller", async () => {
    const context = new AsyncLocalStorage<string>();
    const outside: unknown[] = [];
    const within: Record<string, unknown> = {};
    const inner = place();
    await inner.create({ type: "folder", id: "." }, "logo.png", png(4, 4));
    const storage: Storage = {
      ...withCreate(inner, (...file) => {
        within.create = context.getStore();
        return inner.create(...file);
      }),
      read(file, options) {
        if (file.id === "logo.png") within.read = context.getStore();
        return inner.read(file, options);
      },
    };
    const observe: StepObserver = (step, run) => {
      if (step.name === "job") outside.push(context.getStore());
      return context.run(`${context.getStore() ?? ""} ${step.name}`.trim(), run);
    };
    await using engine = makeEngine({ storage, observe });
    const data = { name: { type: "file", id: "logo.png" } };
    const { id } = await context.run("caller", () =>
      engine.createBatch(request([entry("a", data)])),
    );
    await all(engine.jobs(id));
    expect(within).toEqual({ read: "job render", create: "job store" });
    expect(outside).toEqual([undefined]);
  });
});

test("a trace is kept with its batch and does not affect idempotency", async () => {
  const jobs = memoryJobStore();
  await using engine = makeEngine({ storage: place(), jobs });
  const asked = request([entry("a")]);
  const first = await engine.createBatch(asked, { idempotencyKey: "k", trace: TRACE });
  const again = await engine.createBatch(asked, { idempotencyKey: "k", trace: "other" });
  expect(again.id).toBe(first.id);
  expect((await jobs.getBatch(first.id))?.trace).toBe(TRACE);
  const other = engine.createBatch(request([entry("b")]), { idempotencyKey: "k", trace: TRACE });
  expect((await refusal(other)).code).toBe("conflict");
});

test("an engine returns the depth of its queue", async () => {
  const inner = place();
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const storage = withCreate(inner, async (...file) => {
    begun.resolve();
    await held.promise;
    return inner.create(...file);
  });
  const jobs = memoryJobStore({ maxWaiting: 50 });
  await using engine = makeEngine({ storage, jobs, concurrency: 1 });
  const none = { docx: null, pdf: null };
  expect(await engine.depth()).toEqual({ submitted: 0, pending: 0, oldestAt: none, capacity: 50 });
  const entries = Array.from({ length: 40 }, (_, index) => entry(`n${index}`));
  const { id, createdAt } = await engine.createBatch(request(entries));
  await begun.promise;
  const { submitted, pending, oldestAt } = await engine.depth();
  expect(submitted + pending).toBe(40);
  expect(pending).toBeGreaterThan(0);
  expect(oldestAt).toEqual({ docx: createdAt.getTime(), pdf: null });
  held.resolve();
  await all(engine.jobs(id));
  expect(await engine.depth()).toMatchObject({ submitted: 0, pending: 0, oldestAt: none });
});
