import { PDFDocument } from "pdf-lib";
import { expect, test } from "vitest";
import { refusal } from "../../contracts/test/support/refusal.ts";
import { docx, p } from "../../ooxml/test/support/docx.ts";
import { fieldValues, oneField } from "../../pdf/test/support/pdf.ts";
import {
  createEngine,
  memoryStorage,
  type Renderer,
  renderInProcess,
  type Storage,
} from "../src/index.ts";
import { all, entry, request } from "./support/engine.ts";

const FILE = { type: "file", id: "form.pdf" } as const;

/** Returns a storage with two PDF files: a form with one field, `name`, and a broken file. */
async function place(): Promise<Storage> {
  return memoryStorage({
    folders: ["out"],
    files: { "form.pdf": await oneField("name"), "broken.pdf": Buffer.from("%PDF-1.7") },
  });
}

/** Runs a batch of PDFs in an engine without a converter. Returns its jobs and the storage. */
async function made(entries: object[], more: object, renderer: Renderer) {
  const storage = await place();
  const engine = createEngine({ storage, renderer });
  const batch = await engine.createBatch(
    request(entries, { file: FILE, output_type: "pdf", ...more }),
  );
  const jobs = await all(engine.jobs(batch.id));
  await engine.close();
  return { jobs, storage };
}

test("an engine fills PDF forms without a converter, and reports their pages", async () => {
  const { jobs, storage } = await made([entry("one"), entry("two", {})], {}, renderInProcess());
  expect(jobs.map(({ status, pages, converter }) => [status, pages, converter])).toEqual([
    ["completed", 1, null],
    ["completed_with_error", 1, null],
  ]);
  const file = await storage.read(jobs[0]?.outputFile?.ref ?? FILE);
  expect(file.name).toBe("one.pdf");
  expect(await fieldValues(file.bytes)).toEqual({ name: "Ann" });
});

test("a batch that requests Word documents of a PDF form fails for each job, with the reason", async () => {
  const { jobs } = await made([entry("one")], { output_type: "docx" }, renderInProcess());
  expect(jobs).toMatchObject([{ status: "failed", failure: { code: "invalid_request" } }]);
  expect(jobs[0]?.failure?.message).toContain("PDF form");
});

test("options that need a converter are rejected for forms, and metadata is set", async () => {
  const refused = await made([entry("one")], { pdf: { open_password: "x" } }, renderInProcess());
  expect(refused.jobs[0]?.failure?.message).toContain("openPassword");
  const { jobs, storage } = await made(
    [entry("one")],
    { pdf: { metadata: { title: "Hello" } } },
    renderInProcess(),
  );
  const { bytes } = await storage.read(jobs[0]?.outputFile?.ref ?? FILE);
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  expect(document.getTitle()).toBe("Hello");
  expect(await fieldValues(bytes)).toEqual({ name: "Ann" });
});

test("a Word template still needs a converter for PDF", async () => {
  const engine = createEngine({
    storage: memoryStorage({ folders: ["out"], files: { "letter.docx": Buffer.from("PK") } }),
    renderer: renderInProcess(),
  });
  const error = await refusal(engine.createBatch(request([entry("one")], { output_type: "pdf" })));
  expect(error.code).toBe("unavailable");
  await engine.close();
});

test("an invalid form fails all jobs with the same reason", async () => {
  const file = { type: "file", id: "broken.pdf" };
  const { jobs } = await made([entry("one"), entry("two")], { file }, renderInProcess());
  expect(jobs.map(({ failure }) => failure?.code)).toEqual([
    "invalid_template",
    "invalid_template",
  ]);
});

test("a Word template ignores the metadata options of PDFs", async () => {
  const bytes = docx({ body: p("Dear {{name}}") });
  const template = renderInProcess().open(bytes);
  const plain = await template.render({ name: "Ann" });
  expect(await template.render({ name: "Ann" }, { metadata: { date: "yesterday" } })).toEqual(
    plain,
  );
});
