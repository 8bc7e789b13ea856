import { PDFDocument } from "pdf-lib";
import { expect, test } from "vitest";
import { makePlace, type Place } from "./support/cli.ts";

/** Creates a form with a text field and a check box. */
async function form(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const page = document.addPage([300, 300]);
  const fields = document.getForm();
  fields
    .createTextField("customer.name")
    .addToPage(page, { x: 20, y: 200, width: 200, height: 20 });
  fields.createCheckBox("agreed").addToPage(page, { x: 20, y: 100, width: 15, height: 15 });
  return document.save();
}

async function filled({ path }: Place, name: string): Promise<PDFDocument> {
  const { readFile } = await import("node:fs/promises");
  return PDFDocument.load(await readFile(path(name)), { updateMetadata: false });
}

const ANN = { customer: { name: "Ann" }, agreed: true };

test("render fills a PDF form without LibreOffice, and flattens it with --flatten", async () => {
  const place = await makePlace();
  await place.write("form.pdf", await form());
  await place.write("ann.json", ANN);
  const soffice = ["--soffice", "/nowhere"];
  const render = ["render", "form.pdf", "ann.json", ...soffice];
  expect(await place.quire([...render, "-o", "out.pdf", "--title", "Hello"])).toMatchObject({
    code: 0,
  });
  const document = await filled(place, "out.pdf");
  expect(document.getForm().getTextField("customer.name").getText()).toBe("Ann");
  expect(document.getTitle()).toBe("Hello");
  expect((await place.quire([...render, "-o", "flat.pdf", "--flatten"])).code).toBe(0);
  expect((await filled(place, "flat.pdf")).getForm().getFields()).toEqual([]);
  const word = await place.quire([...render, "-o", "out.docx"]);
  expect(word).toMatchObject({ code: 1, stderr: expect.stringContaining("PDF form") });
  const pdfa = await place.quire([...render, "-o", "x.pdf", "--pdfa", "2b"]);
  expect(pdfa).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("filled without a conversion"),
  });
});

test("run fills a PDF form for each entry, without LibreOffice", async () => {
  const place = await makePlace();
  await place.write("form.pdf", await form());
  await place.write("all.json", [ANN, { ...ANN, agreed: "perhaps" }]);
  const run = await place.quire([
    ...["run", "form.pdf", "--data", "all.json", "--to", "pdf", "--out", "out"],
    ...["--name", "{{customer.name}}", "--on-conflict", "rename", "--soffice", "/nowhere"],
  ]);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain("not one of its options");
  expect(await place.names("out")).toEqual(["Ann.pdf"]);
});

test("inspect, check, sample and types report the same for a PDF form as for a Word template", async () => {
  const place = await makePlace();
  await place.write("form.pdf", await form());
  const inspected = await place.quire(["inspect", "form.pdf"]);
  expect(inspected.stdout).toMatch(/customer\.name +text +customer\.name +On page 1/);
  expect((await place.quire(["sample", "form.pdf", "-o", "sample.json"])).code).toBe(0);
  const checked = await place.quire(["check", "form.pdf", "--data", "sample.json"]);
  expect(checked).toMatchObject({ code: 0, stderr: "" });
  await place.write("wrong.json", { customer: {}, agreed: "perhaps" });
  const wrong = await place.quire(["check", "form.pdf", "--data", "wrong.json"]);
  expect(wrong.code).toBe(2);
  expect(wrong.stdout).toContain("On page 1");
  expect((await place.quire(["types", "form.pdf"])).stdout).toContain("readonly agreed");
});

test("a PDF without fields is rejected", async () => {
  const place = await makePlace();
  const document = await PDFDocument.create();
  document.addPage();
  await place.write("plain.pdf", await document.save());
  await place.write("data.json", {});
  const plain = await place.quire(["render", "plain.pdf", "data.json", "-o", "out.pdf"]);
  expect(plain).toMatchObject({ code: 1, stderr: expect.stringContaining("no form fields") });
});
