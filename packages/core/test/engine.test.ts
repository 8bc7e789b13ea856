import { describe, expect, test } from "vitest";
import { linesOf } from "../../ooxml/test/support/docx.ts";
import { type ConvertOptions, QuireError } from "../src/index.ts";
import {
  all,
  echoConverter,
  entry,
  makeEngine,
  names,
  place,
  request,
  template,
  withCreate,
} from "./support/engine.ts";

describe("a batch", () => {
  test("creates a document for each entry from its data", async () => {
    const storage = place();
    await using engine = makeEngine({ storage });
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

  test("continues if an entry fails, and reports why", async () => {
    const storage = place();
    await using engine = makeEngine({ storage });
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

  test("uses the template version from the time of acceptance", async () => {
    const storage = place();
    await using engine = makeEngine({ storage, concurrency: 1 });
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
    "with the invalid template %s is accepted, and each job fails",
    async (id) => {
      await using engine = makeEngine({ storage: place() });
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

  test("renames conflicting names in the order of the entries, without regard to case", async () => {
    const storage = place();
    await storage.create({ type: "folder", id: "out" }, "A.docx", template);
    await using engine = makeEngine({ storage });
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

  test("fails the later of two equal names if renaming is not allowed", async () => {
    const storage = place();
    await using engine = makeEngine({ storage });
    const batch = await engine.createBatch(
      request([entry("a"), entry("A", { name: "Bob" })], { on_conflict: "fail" }),
    );
    const jobs = await all(engine.jobs(batch.id));
    expect(jobs.map(({ failure }) => failure?.code)).toEqual([undefined, "conflict"]);
    expect(linesOf((await storage.read({ type: "file", id: "out/a.docx" })).bytes)).toEqual([
      "Dear Ann",
    ]);
  });

  test("never overwrites a file that another writer creates while the batch runs", async () => {
    const inner = place();
    const storage = withCreate(inner, async (folder, name, bytes, options) => {
      if (name === "a.docx")
        await inner.create(folder, name, Buffer.from("theirs")).catch(() => {});
      return inner.create(folder, name, bytes, options);
    });
    await using engine = makeEngine({ storage });
    const batch = await engine.createBatch(request([entry("a")]));
    expect((await all(engine.jobs(batch.id)))[0]?.outputFile?.name).toBe("a (1).docx");
    expect(
      Buffer.from((await inner.read({ type: "file", id: "out/a.docx" })).bytes).toString(),
    ).toBe("theirs");
  });

  test("limits the number of concurrent documents", async () => {
    let running = 0;
    let most = 0;
    const inner = place();
    const storage = withCreate(inner, async (folder, name, bytes) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running -= 1;
      return inner.create(folder, name, bytes);
    });
    await using engine = makeEngine({ storage, concurrency: 3 });
    const entries = Array.from({ length: 30 }, (_, index) => entry(`n${index}`));
    await all(engine.jobs((await engine.createBatch(request(entries))).id));
    expect(most).toBe(3);
  });

  test("can be followed by several readers, also after it has finished", async () => {
    await using engine = makeEngine({ storage: place() });
    const batch = await engine.createBatch(request([entry("a"), entry("b")]));
    const [first, second] = await Promise.all([
      all(engine.jobs(batch.id)),
      all(engine.jobs(batch.id)),
    ]);
    expect(first).toEqual(second);
    expect(await all(engine.jobs(batch.id))).toEqual(first);
  });
});

const FINGERPRINT = { program: "Echo 1", fonts: null, options: "none" };

describe("conversion", () => {
  test("receives the PDF options, the tenant and the batch of each document", async () => {
    const seen: ConvertOptions[] = [];
    const converter = echoConverter(async (bytes, options) => {
      seen.push(options ?? {});
      return { bytes: Buffer.from(bytes), pages: 1, warnings: [], fingerprint: FINGERPRINT };
    });
    await using engine = makeEngine({ storage: place(), converter });
    const pdf = { pdf_a: "2b", image_dpi: 150, initial_view: { full_screen: true } } as const;
    const batch = await engine.createBatch(
      request([entry("a"), entry("b")], { output_type: "pdf", pdf }),
      { tenant: "acme", weight: 3 },
    );
    await all(engine.jobs(batch.id));
    expect(seen).toHaveLength(2);
    for (const options of seen) {
      expect(options).toMatchObject({
        rendered: true,
        group: batch.id,
        tenant: "acme",
        weight: 3,
        pdf: { pdfA: "2b", imageDpi: 150, initialView: { fullScreen: true } },
      });
    }
  });

  test("runs between rendering and storing, and its warnings are added to the job", async () => {
    const warning = {
      severity: "warning",
      code: "font_substituted",
      message: "A font was substituted.",
    } as const;
    const converter = echoConverter(async (bytes) => ({
      bytes: Buffer.from(`%PDF ${linesOf(bytes)}`),
      pages: 1,
      warnings: [warning],
      fingerprint: FINGERPRINT,
    }));
    const storage = place();
    const engine = makeEngine({ storage, converter });
    const batch = await engine.createBatch(request([entry("a")], { output_type: "pdf" }));
    expect((await all(engine.jobs(batch.id)))[0]).toMatchObject({
      status: "completed",
      warnings: [warning],
      converter: FINGERPRINT,
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
    await using engine = makeEngine({ storage, converter });
    const batch = await engine.createBatch(request([entry("a")], { output_type: "pdf" }));
    expect((await all(engine.jobs(batch.id)))[0]).toMatchObject({
      status: "failed",
      failure: expect.objectContaining({ code: "conversion_failed" }),
      outputFile: null,
    });
    expect(await names(storage)).toEqual([]);
  });
});

describe("a job", () => {
  test("keeps the cause of its failure", async () => {
    const inner = place();
    const cause = new TypeError("boom");
    const storage = withCreate(inner, async () => {
      throw cause;
    });
    await using engine = makeEngine({ storage });
    const batch = await engine.createBatch(request([entry("a")]));
    const [job] = await all(engine.jobs(batch.id));
    expect(job?.failure).toMatchObject({ code: "internal", cause: { message: "boom" } });
  });
});
