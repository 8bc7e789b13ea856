/** Commands with large files and a small heap. */
import { stat } from "node:fs/promises";
import { PDFDocument, PDFName } from "pdf-lib";
import { expect, test } from "vitest";
import { makePlace } from "./support/cli.ts";
import { docx } from "./support/docx.ts";
import { expectHeapEnough } from "./support/letters.ts";

test("quire check reads 60 MB of entries within a heap of 60 MB", async () => {
  const place = await makePlace();
  await place.write("letter.docx", docx(["Dear {{name}}", "{{text}}"]));
  const line = `${JSON.stringify({ name: "Ann", text: "x".repeat(1_000_000) })}\n`;
  await place.write("data.jsonl", line.repeat(60));
  const args = ["check", "letter.docx", "--data", "data.jsonl"];
  const { code, stdout, stderr } = await place.start(args, {
    nodeArgs: ["--max-old-space-size=60"],
  }).ended;
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("60 entries, 0 with errors");
}, 60_000);

test("quire merge writes 50 MB within a heap of 40 MB", async () => {
  const place = await makePlace();
  const files = Array.from({ length: 50 }, (_, index) => `${index + 1}.pdf`);
  const pdf = await PDFDocument.create();
  const page = pdf.addPage([300, 400]);
  page.node.set(
    PDFName.of("Extra"),
    pdf.context.register(pdf.context.stream(new Uint8Array(1_000_000))),
  );
  const bytes = Buffer.from(await pdf.save());
  const at = bytes.indexOf(Buffer.alloc(1000));
  // The files must differ, because content that several files share is written only once.
  for (const [index, file] of files.entries()) {
    await place.write(file, bytes.fill(index + 1, at, at + 999_000));
  }
  const args = ["merge", ...files, "-o", "out.pdf"];
  const { code, signal } = await place.start(args, { nodeArgs: ["--max-old-space-size=40"] }).ended;
  expect([code, signal]).toEqual([0, null]);
  expect((await stat(place.path("out.pdf"))).size).toBeGreaterThan(50_000_000);
}, 60_000);

test(
  "a run keeps few entries in memory: 24 MB of data need less than 40 MB of heap",
  () => expectHeapEnough({ entries: 24, entryBytes: 1_000_000, heapMb: 40 }),
  60_000,
);
