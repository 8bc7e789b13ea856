import { readFile } from "node:fs/promises";
import { PDFDocument } from "pdf-lib";
import { expect, test } from "vitest";
import { makePlace } from "./support/cli.ts";
import { docx } from "./support/docx.ts";

/** Elements that LibreOffice processes in almost no time. */
const EMPTY_MARKS = '<w:proofErr w:type="spellStart"/>'.repeat(100);

test("the limits of templates do not apply when a rendered document becomes a PDF", async () => {
  const place = await makePlace();
  const turn = `{{for i in list}}x</w:t></w:r>${EMPTY_MARKS}<w:r><w:t>{{endfor}}`;
  await place.write("list.docx", docx([turn]));
  await place.write("data.json", { list: Array(12_000).fill(0) });
  const ended = await place.quire(["render", "list.docx", "data.json", "-o", "list.pdf"]);
  expect([ended.code, ended.stderr]).toEqual([0, ""]);
  const pdf = await PDFDocument.load(await readFile(place.path("list.pdf")));
  expect(pdf.getPageCount()).toBeGreaterThan(1);
}, 240_000);
