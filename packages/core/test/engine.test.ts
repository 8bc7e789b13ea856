import { describe, expect, test } from "vitest";
import {
  type BatchRequest,
  type Converter,
  createEngine,
  isQuireError,
  type Job,
  memoryStorage,
  QuireError,
  type Storage,
} from "../src/index.ts";
import { docx, linesOf, p } from "./support/docx.ts";

const template = docx({ body: p("Dear {{name}}") });

function place(): Storage {
  return memoryStorage({
    folders: ["out"],
    files: {
      "letter.docx": template,
      "broken.docx": docx({ body: p("{{if a}}") }),
      "text.docx": Buffer.from("hi"),
    },
  });
}

function request(entries: unknown, more: Partial<BatchRequest> = {}): BatchRequest {
  return {
    file: { type: "file", id: "letter.docx" },
    input_source: "api",
    destination_folder: { type: "folder", id: "out" },
    output_type: "docx",
    document_generation_data: entries,
    ...more,
  } as BatchRequest;
}

function entry(name: string, user_input: object = { name: "Ann" }): object {
  return { generated_file_name: name, user_input };
}

async function all(jobs: AsyncIterable<Job>): Promise<Job[]> {
  const list: Job[] = [];
  for await (const job of jobs) list.push(job);
  return list.sort((a, b) => a.entry - b.entry);
}

async function names(storage: Storage): Promise<string[]> {
  return (await storage.list({ type: "folder", id: "out" })).entries.map(({ name }) => name);
}

async function refusal(promise: Promise<unknown>): Promise<QuireError> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!isQuireError(error)) throw new Error("It was accepted.");
  return error;
}

/** A converter that needs no office: what the engine does with its answers is what is tested. */
function echoConverter(convert: Converter["convert"]): Converter & { closed: number } {
  return {
    closed: 0,
    convert,
    async close() {
      this.closed += 1;
    },
  };
}

/** A storage that behaves like another one but for its `create`. */
function withCreate(inner: Storage, create: Storage["create"]): Storage {
  return {
    create,
    read: (file, options) => inner.read(file, options),
    stat: (file, options) => inner.stat(file, options),
    list: (folder, options) => inner.list(folder, options),
    remove: (file, options) => inner.remove(file, options),
  };
}

describe("a batch", () => {
  test("makes a document for each entry, with its own data", async () => {
    const storage = place();
    await using engine = createEngine({ storage });
    const batch = await engine.createBatch(request([entry("a"), entry("b.docx", { name: "Bob" })]));
    const jobs = await all(engine.jobs(batch.id));
    expect(jobs.map(({ status, entry, outputFile }) => [status, entry, outputFile?.name])).toEqual([
      ["completed", 1, "a.docx"],
      ["completed", 2, "b.docx"],
    ]);
    const { bytes } = await storage.read({ type: "file", id: "out/b.docx" });
    expect(linesOf(bytes)).toEqual(["Dear Bob"]);
    expect(await engine.getBatch(batch.id)).toMatchObject({
      status: "finished",
      counts: { submitted: 0, pending: 0, completed: 2, completed_with_error: 0, failed: 0 },
    });
  });

  test("goes on when an entry fails, and says why", async () => {
    const storage = place();
    await using engine = createEngine({ storage });
    const batch = await engine.createBatch(
      request([entry("a"), entry("b", { name: { x: 1 } }), entry("c", {}), entry("d")]),
    );
    const jobs = await all(engine.jobs(batch.id));
    expect(jobs.map(({ status, failure }) => [status, failure?.code])).toEqual([
      ["completed", undefined],
      ["failed", "invalid_data"],
      ["completed_with_error", undefined],
      ["completed", undefined],
    ]);
    expect(jobs[2]?.errors[0]?.message).toBe("The tag 'name' was not provided in the input data.");
    expect(await names(storage)).toEqual(["a.docx", "c.docx", "d.docx"]);
  });

  test("pins the template it was accepted with", async () => {
    const storage = place();
    await using engine = createEngine({ storage, concurrency: 1 });
    const version = (await storage.stat({ type: "file", id: "letter.docx" }))?.version;
    const batch = await engine.createBatch(request([entry("a"), entry("b")]));
    await storage.remove({ type: "file", id: "letter.docx" });
    const jobs = await all(engine.jobs(batch.id));
    expect(jobs.map(({ status, template }) => [status, template.version])).toEqual([
      ["completed", version],
      ["completed", version],
    ]);
  });

  test.each(["broken.docx", "text.docx"])(
    "with the invalid template %s is accepted and fails job by job",
    async (id) => {
      await using engine = createEngine({ storage: place() });
      const batch = await engine.createBatch(
        request([entry("a"), entry("b")], { file: { type: "file", id } }),
      );
      const jobs = await all(engine.jobs(batch.id));
      expect(jobs.map(({ failure }) => failure?.code)).toEqual([
        "invalid_template",
        "invalid_template",
      ]);
    },
  );

  test("renames names that meet, in the order of the entries, without case", async () => {
    const storage = place();
    await storage.create({ type: "folder", id: "out" }, "A.docx", template);
    await using engine = createEngine({ storage });
    const batch = await engine.createBatch(
      request([
        entry("a"),
        entry("a"),
        entry("e\u0301"),
        entry("\u00c9"),
        entry("b (1)"),
        entry("b"),
        entry("b"),
      ]),
    );
    const jobs = await all(engine.jobs(batch.id));
    expect(jobs.map(({ outputFile }) => outputFile?.name)).toEqual([
      "a (1).docx",
      "a (2).docx",
      "\u00e9.docx",
      "\u00c9 (1).docx",
      "b (1).docx",
      "b.docx",
      "b (2).docx",
    ]);
  });

  test("fails the later of two equal names when it must not rename", async () => {
    const storage = place();
    await using engine = createEngine({ storage });
    const batch = await engine.createBatch(
      request([entry("a"), entry("A", { name: "Bob" })], { on_conflict: "fail" }),
    );
    const jobs = await all(engine.jobs(batch.id));
    expect(jobs.map(({ failure }) => failure?.code)).toEqual([undefined, "conflict"]);
    expect(linesOf((await storage.read({ type: "file", id: "out/a.docx" })).bytes)).toEqual([
      "Dear Ann",
    ]);
  });

  test("never overwrites what somebody else wrote meanwhile", async () => {
    const inner = place();
    const storage = withCreate(inner, async (folder, name, bytes, options) => {
      if (name === "a.docx")
        await inner.create(folder, name, Buffer.from("theirs")).catch(() => {});
      return inner.create(folder, name, bytes, options);
    });
    await using engine = createEngine({ storage });
    const batch = await engine.createBatch(request([entry("a")]));
    expect((await all(engine.jobs(batch.id)))[0]?.outputFile?.name).toBe("a (1).docx");
    expect(
      Buffer.from((await inner.read({ type: "file", id: "out/a.docx" })).bytes).toString(),
    ).toBe("theirs");
  });

  test("keeps at most as many documents in work as it may", async () => {
    let running = 0;
    let most = 0;
    const inner = place();
    const storage = withCreate(inner, async (folder, name, bytes) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running -= 1;
      return inner.create(folder, name, bytes);
    });
    await using engine = createEngine({ storage, concurrency: 3 });
    const entries = Array.from({ length: 30 }, (_, index) => entry(`n${index}`));
    const batches = [
      await engine.createBatch(request(entries)),
      await engine.createBatch(request([entry("x"), entry("y")])),
    ];
    for (const batch of batches) await all(engine.jobs(batch.id));
    expect(most).toBe(3);
  });

  test("can be followed by several, also late", async () => {
    await using engine = createEngine({ storage: place() });
    const batch = await engine.createBatch(request([entry("a"), entry("b")]));
    const [first, second] = await Promise.all([
      all(engine.jobs(batch.id)),
      all(engine.jobs(batch.id)),
    ]);
    expect(first).toEqual(second);
    expect(await all(engine.jobs(batch.id))).toEqual(first);
  });
});

describe("a streamed batch", () => {
  test("is read no further ahead than there is work, and bad entries fail alone", async () => {
    let given = 0;
    async function* entries() {
      for (let index = 0; index < 100; index++) {
        given += 1;
        if (index === 10) yield { generated_file_name: "x/y", user_input: {} };
        else if (index === 20) yield new QuireError("invalid_data", "Line 21 is no JSON.");
        else if (index === 30) yield 5;
        else yield entry(`n${index}`);
      }
    }
    await using engine = createEngine({ storage: place(), concurrency: 2 });
    const batch = await engine.createBatch(request(entries()));
    const failures: unknown[] = [];
    let ended = 0;
    let ahead = 0;
    for await (const job of engine.jobs(batch.id)) {
      ended += 1;
      ahead = Math.max(ahead, given - ended);
      if (job.failure !== null)
        failures.push([job.entry, job.failure.code, job.errors[0]?.message]);
    }
    expect(ended).toBe(100);
    expect(ahead).toBeLessThan(10);
    expect(failures).toEqual([
      [11, "item_name_invalid", expect.stringContaining('"x/y" holds the character /')],
      [21, "invalid_data", "Line 21 is no JSON."],
      [31, "invalid_request", expect.any(String)],
    ]);
  });

  test("whose source breaks keeps what was made and tells the reason at the end", async () => {
    async function* entries() {
      yield entry("a");
      throw new Error("disk gone");
    }
    await using engine = createEngine({ storage: place() });
    const batch = await engine.createBatch(request(entries()));
    const jobs: Job[] = [];
    const error = await refusal(
      (async () => {
        for await (const job of engine.jobs(batch.id)) jobs.push(job);
      })(),
    );
    expect(jobs.map(({ status }) => status)).toEqual(["completed"]);
    expect(error.cause).toEqual(new Error("disk gone"));
  });

  test("that is aborted ends, also while its source keeps it waiting", async () => {
    let returned = false;
    const source: AsyncIterable<unknown> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => {}),
        return: async () => {
          returned = true;
          return { done: true, value: undefined };
        },
      }),
    };
    await using engine = createEngine({ storage: place() });
    const abort = new AbortController();
    const batch = await engine.createBatch(request(source), { signal: abort.signal });
    abort.abort();
    expect((await refusal(all(engine.jobs(batch.id)))).code).toBe("aborted");
    expect(await engine.getBatch(batch.id)).toMatchObject({
      status: "finished",
      failure: expect.objectContaining({ code: "aborted" }),
    });
    expect(returned).toBe(true);
  });
});

describe("a batch among others", () => {
  test("is not touched by the abort of another one in the same folder", async () => {
    const inner = place();
    const listing = Promise.withResolvers<void>();
    const storage: Storage = {
      ...withCreate(inner, (folder, name, bytes) => inner.create(folder, name, bytes)),
      async list(folder, options) {
        await listing.promise;
        return inner.list(folder, options);
      },
    };
    await using engine = createEngine({ storage });
    const abort = new AbortController();
    const first = engine.createBatch(request([entry("a")]), { signal: abort.signal });
    const second = engine.createBatch(request([entry("b")]));
    abort.abort();
    listing.resolve();
    expect((await refusal(first)).code).toBe("aborted");
    expect((await all(engine.jobs((await second).id)))[0]?.status).toBe("completed");
  });

  test("is either refused or finished by a close() at the same time", async () => {
    for (let turn = 0; turn < 20; turn++) {
      const storage = place();
      const engine = createEngine({ storage });
      const accepted = engine.createBatch(request([entry("a")])).catch(() => null);
      for (let tick = 0; tick < turn; tick++) await null;
      await engine.close();
      const batch = await accepted;
      expect(await names(storage)).toEqual(batch === null ? [] : ["a.docx"]);
    }
  });

  test("gets names that an earlier one reserved and did not use", async () => {
    const storage = place();
    const held = Promise.withResolvers<void>();
    async function* slow() {
      await held.promise;
      yield entry("z");
    }
    await using engine = createEngine({ storage });
    const open = await engine.createBatch(request(slow())); // keeps the folder's names in use
    const failing = await engine.createBatch(request([entry("a", { name: { x: 1 } })]));
    expect((await all(engine.jobs(failing.id)))[0]?.status).toBe("failed");
    const again = await engine.createBatch(request([entry("a")], { on_conflict: "fail" }));
    expect((await all(engine.jobs(again.id)))[0]?.outputFile?.name).toBe("a.docx");
    held.resolve();
    await all(engine.jobs(open.id));
  });

  test("takes the next number after the first name when others write at the same time", async () => {
    const inner = place();
    const storage = withCreate(inner, async (folder, name, bytes, options) => {
      if (name === "a.docx" || name === "a (1).docx") {
        await inner.create(folder, name, Buffer.from("theirs")).catch(() => {});
      }
      return inner.create(folder, name, bytes, options);
    });
    await using engine = createEngine({ storage });
    const batch = await engine.createBatch(request([entry("a")]));
    expect((await all(engine.jobs(batch.id)))[0]?.outputFile?.name).toBe("a (2).docx");
  });
});

describe("a job", () => {
  test("keeps the cause of its failure", async () => {
    const inner = place();
    const cause = new TypeError("boom");
    const storage = withCreate(inner, async () => {
      throw cause;
    });
    await using engine = createEngine({ storage });
    const batch = await engine.createBatch(request([entry("a")]));
    const [job] = await all(engine.jobs(batch.id));
    expect(job?.failure).toMatchObject({ code: "internal", cause });
  });

  test("ends also when no id can be given to it", async () => {
    let ids = 0;
    const newId = (): string => {
      ids += 1;
      if (ids > 1) throw new Error("no more ids");
      return "only";
    };
    await using engine = createEngine({ storage: place(), newId });
    const batch = await engine.createBatch(request([entry("a")]));
    expect((await all(engine.jobs(batch.id)))[0]?.failure?.code).toBe("internal");
  });
});

test("a streamed batch lets go the jobs that its only reader has seen", async () => {
  async function* entries() {
    for (let index = 0; index < 2500; index++) yield 5;
  }
  await using engine = createEngine({ storage: place() });
  const batch = await engine.createBatch(request(entries()));
  expect(await all(engine.jobs(batch.id))).toHaveLength(2500);
  expect(await all(engine.jobs(batch.id))).toHaveLength(500);
  expect((await engine.getBatch(batch.id)).counts.failed).toBe(2500);
});

test.each([0, -1, 1.5, Number.NaN])("an engine refuses a concurrency of %s", (concurrency) => {
  expect(() => createEngine({ storage: place(), concurrency })).toThrow(/whole number from 1/);
});

describe("acceptance", () => {
  test("tells all problems of a request at once, with JSON Pointers", async () => {
    await using engine = createEngine({ storage: place() });
    const error = await refusal(
      engine.createBatch({
        file: { type: "folder", id: "" },
        input_source: "web",
        output_type: "odt",
        document_generation_data: [
          { generated_file_name: "CON" },
          { generated_file_name: 5, user_input: [] },
          entry("a/b"),
        ],
      } as never),
    );
    expect(error.code).toBe("invalid_request");
    expect(error.diagnostics.map(({ pointer }) => pointer)).toEqual([
      "/file/type",
      "/file/id",
      "/input_source",
      "/destination_folder",
      "/output_type",
      "/document_generation_data/0/user_input",
      "/document_generation_data/1/generated_file_name",
      "/document_generation_data/1/user_input",
      "/document_generation_data/0/generated_file_name",
      "/document_generation_data/2/generated_file_name",
    ]);
  });

  test.each([null, 5, "text", [], {}, undefined])("refuses %j", async (input) => {
    await using engine = createEngine({ storage: place() });
    expect((await refusal(engine.createBatch(input as never))).code).toBe("invalid_request");
  });

  test("refuses an empty batch, and illegal names with a code of their own", async () => {
    await using engine = createEngine({ storage: place() });
    expect((await refusal(engine.createBatch(request([])))).diagnostics[0]?.pointer).toBe(
      "/document_generation_data",
    );
    expect((await refusal(engine.createBatch(request([entry("..")])))).code).toBe(
      "item_name_invalid",
    );
  });

  test("refuses data that is nested too deep", async () => {
    let deep: object = {};
    for (let level = 0; level < 10_000; level++) deep = { deep };
    await using engine = createEngine({ storage: place() });
    expect(
      (await refusal(engine.createBatch(request([entry("a", deep)])))).diagnostics[0]?.code,
    ).toBe("limit_exceeded");
  });

  test("refuses data with references back to its parent", async () => {
    const order: { items: object[] } = { items: [] };
    for (let index = 0; index < 10; index++) order.items.push({ order });
    await using engine = createEngine({ storage: place() });
    const error = await refusal(engine.createBatch(request([entry("a", { order })])));
    expect(error.diagnostics[0]?.code).toBe("limit_exceeded");
  });

  test("keeps own keys such as __proto__ of the data", async () => {
    await using engine = createEngine({
      storage: memoryStorage({
        folders: ["out"],
        files: { "letter.docx": docx({ body: p("{{__proto__}}") }) },
      }),
    });
    const batch = await engine.createBatch(
      request([entry("a", JSON.parse('{"__proto__":"own"}'))]),
    );
    expect((await all(engine.jobs(batch.id)))[0]?.status).toBe("completed");
  });

  test("tolerates a missing type and leaves out unknown fields", async () => {
    await using engine = createEngine({ storage: place() });
    const batch = await engine.createBatch({
      ...request([entry("a")]),
      file: { id: "letter.docx" },
      more: 1,
    } as never);
    expect((await all(engine.jobs(batch.id)))[0]?.template).toMatchObject({
      type: "file",
      id: "letter.docx",
    });
  });

  test("refuses what is not there", async () => {
    await using engine = createEngine({ storage: place() });
    const missing = [
      { file: { type: "file", id: "no.docx" } },
      { destination_folder: { type: "folder", id: "no" } },
      { file_version: { type: "file_version", id: "0" } },
    ] as const;
    for (const more of missing) {
      expect((await refusal(engine.createBatch(request([entry("a")], more)))).code).toBe(
        "not_found",
      );
    }
    expect(
      (await refusal(engine.createBatch(request([entry("a")], { output_type: "pdf" })))).code,
    ).toBe("unavailable");
    expect((await refusal(engine.getBatch("no"))).code).toBe("not_found");
  });
});

describe("conversion", () => {
  test("stands between rendering and storing, and its warnings travel with the job", async () => {
    const warning = {
      severity: "warning",
      code: "font_substituted",
      message: "A font was substituted.",
    } as const;
    const converter = echoConverter(async (bytes) => ({
      bytes: Buffer.from(`%PDF ${linesOf(bytes)}`),
      pages: 1,
      warnings: [warning],
    }));
    const storage = place();
    const engine = createEngine({ storage, converter });
    const batch = await engine.createBatch(request([entry("a")], { output_type: "pdf" }));
    expect((await all(engine.jobs(batch.id)))[0]).toMatchObject({
      status: "completed",
      warnings: [warning],
      outputFile: { name: "a.pdf" },
    });
    expect(
      Buffer.from((await storage.read({ type: "file", id: "out/a.pdf" })).bytes).toString(),
    ).toBe("%PDF Dear Ann");
    await engine.close();
    await engine.close();
    expect(converter.closed).toBe(1);
  });

  test("that fails leaves no file", async () => {
    const converter = echoConverter(async () => {
      throw new QuireError("conversion_failed", "No PDF.");
    });
    const storage = place();
    await using engine = createEngine({ storage, converter });
    const batch = await engine.createBatch(request([entry("a")], { output_type: "pdf" }));
    expect((await all(engine.jobs(batch.id)))[0]).toMatchObject({
      status: "failed",
      failure: expect.objectContaining({ code: "conversion_failed" }),
      outputFile: null,
    });
    expect(await names(storage)).toEqual([]);
  });
});

describe("an engine", () => {
  test("that closes refuses new batches and finishes the accepted ones", async () => {
    const storage = place();
    const engine = createEngine({ storage });
    await engine.createBatch(request(Array.from({ length: 20 }, (_, index) => entry(`n${index}`))));
    const closing = engine.close();
    expect((await refusal(engine.createBatch(request([entry("x")])))).code).toBe("unavailable");
    await closing;
    expect(await names(storage)).toHaveLength(20);
  });

  test("that must close at once fails what has not begun, with a reason, and keeps what was made", async () => {
    const converter = echoConverter(
      (_, { signal } = {}) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(new QuireError("aborted", "Aborted.")));
        }),
    );
    const engine = createEngine({ storage: place(), converter, concurrency: 1 });
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
