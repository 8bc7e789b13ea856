/** Engines that share a job store, and each make only a part of its documents. */
import type { Converter } from "@quire/contracts";
import { createEngine, type EngineEvent, type EngineOptions, memoryStorage } from "@quire/core";
import { expect, test } from "vitest";
import { all, names, place, request } from "./support/engine.ts";

/** A converter without LibreOffice. */
function converter(): Converter {
  return {
    convert: async (bytes) => ({
      bytes,
      pages: 1,
      warnings: [],
      fingerprint: { program: "test", fonts: null, options: "" },
    }),
    close: async () => {},
  };
}

test("an engine that does not work accepts, follows and cancels batches that others make", async (context) => {
  const at = await place(context);
  const front = at.engine({ work: false });
  const docx = await front.createBatch(request(["a", "b"]));
  const pdf = await front.createBatch(request(["c"], { output_type: "pdf" }));
  const cancelled = await front.createBatch(request(["d", "e"]));
  expect((await front.cancelBatch(cancelled.id)).counts.failed).toBe(2);
  expect(await front.depth()).toMatchObject({ submitted: 3, pending: 0 });
  at.engine({ converter: converter() });
  const jobs = [...(await all(front.jobs(docx.id))), ...(await all(front.jobs(pdf.id)))];
  expect(jobs.map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
  expect(await names(at.storage)).toEqual(["a.docx", "b.docx", "c.pdf"]);
  expect(front.pauses()).toEqual([]);
  await front.close();
  await expect(front.createBatch(request(["f"]))).rejects.toMatchObject({ code: "unavailable" });
});

test("engines for docx and for pdf divide the documents by kind", async (context) => {
  const at = await place(context);
  const makesDocx = at.engine({ work: "docx", converter: converter() });
  const pdf = await makesDocx.createBatch(request(["a"], { output_type: "pdf" }));
  const docx = await makesDocx.createBatch(request(["b"]));
  await all(makesDocx.jobs(docx.id));
  expect((await makesDocx.getBatch(pdf.id)).counts.submitted).toBe(1);
  await makesDocx.close();
  const makesPdf = at.engine({ work: "pdf", converter: converter() });
  const later = await makesPdf.createBatch(request(["c"]));
  await all(makesPdf.jobs(pdf.id));
  expect((await makesPdf.getBatch(later.id)).counts.submitted).toBe(1);
  await all(at.engine().jobs(later.id));
  expect(await names(at.storage)).toEqual(["a.pdf", "b.docx", "c.docx"]);
});

test("an engine without a converter that makes all documents refuses PDFs", async (context) => {
  const at = await place(context);
  const pdf = at.engine({ work: true }).createBatch(request(["a"], { output_type: "pdf" }));
  await expect(pdf).rejects.toMatchObject({ code: "unavailable" });
});

test("an engine that works delivers the events of batches that another engine has accepted", async (context) => {
  const at = await place(context);
  const front = at.engine({ work: false, keepEvents: true });
  const silent = at.engine({ work: false });
  const kept = await front.createBatch(request(["a"]));
  const dropped = await silent.createBatch(request(["b"]));
  const events: EngineEvent[] = [];
  const works = at.engine({ keepEvents: false, onEvent: (event) => void events.push(event) });
  const own = await works.createBatch(request(["c"]));
  for (const { id } of [kept, dropped, own]) await all(front.jobs(id));
  await expect.poll(() => events.length).toBe(4);
  await works.close();
  expect(events.map(({ type }) => type)).toEqual([
    "batch_accepted",
    "job_started",
    "job_succeeded",
    "batch_finished",
  ]);
  expect(new Set(events.map(({ batch }) => batch.id))).toEqual(new Set([kept.id]));
});

test.for<readonly [Partial<EngineOptions>, RegExp]>([
  [{ work: "PDF" as "pdf" }, /must be true, false, "docx" or "pdf", not "PDF"/],
  [{ work: "pdf" }, /has no converter/],
  [{ work: false, onEvent: () => {} }, /keepEvents: true/],
])("the options %j are refused", async ([options, message], context) => {
  const { engine } = await place(context);
  expect(() => engine(options)).toThrow(message);
});

test.each([false, "docx", "pdf"] as const)(
  "an engine with a job store in memory cannot leave work to others: work %j",
  (work) => {
    const options = { storage: memoryStorage(), converter: converter(), work };
    expect(() => createEngine(options)).toThrow(/job store is not durable/);
  },
);
