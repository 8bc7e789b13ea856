import { PDFDocument } from "pdf-lib";
import { expect, test } from "vitest";
import { refusal } from "../../contracts/test/support/refusal.ts";
import { linesOf } from "../../ooxml/test/support/docx.ts";
import { linesPdf, rawForm, textField } from "../../pdf/test/support/pdf.ts";
import { pool, until } from "./support/pool.ts";
import { LETTER } from "./support/pool-program.ts";

// This is slow, because with many small values V8 gives up only after several garbage collections.

test("only the document fails if a million small values exceed its heap", async () => {
  await using renderer = pool({ processes: 1, heapLimitMb: 96 });
  const template = renderer.open(LETTER);
  const large = Buffer.from(`{"list":[${'{"a":[1]},'.repeat(1_000_000)}0]}`);
  const [poison, last] = await Promise.all([
    refusal(template.render(large)),
    template.render({ name: "last" }),
  ]);
  expect(poison.code).toBe("limit_exceeded");
  expect(linesOf(last.bytes)).toEqual(["Dear last"]);
});

test("only the document fails if it exceeds the memory limit outside of the heap", async () => {
  await using renderer = pool({ processes: 1, memoryLimitMb: 256 });
  const template = renderer.open(LETTER);
  const logos = Array.from({ length: 14 }, (_, index) => ({ type: "file", id: `${index}` }));
  const bytes = new Uint8Array(16_000_000).fill(1);
  const [poison, last] = await Promise.all([
    refusal(template.render({ logos, name: "x" }, { readFile: async () => bytes })),
    template.render({ name: "last" }),
  ]);
  expect(poison.code).toBe("limit_exceeded");
  expect(linesOf(last.bytes)).toEqual(["Dear last"]);
});

test("processes are replaced after they have held much memory for a while", async () => {
  await using renderer = pool({ processes: 1, memoryLimitMb: 301 });
  const template = renderer.open(LETTER);
  const logos = Array.from({ length: 10 }, (_, index) => ({ type: "file", id: `${index}` }));
  const readFile = async (id: string): Promise<Uint8Array> => {
    if (id === "9") await new Promise((resolve) => setTimeout(resolve, 3_000));
    return new Uint8Array(10_000_000).fill(1);
  };
  await template.render({ name: "x", logos }, { readFile });
  await until(() => renderer.processes().length === 0);
  expect(linesOf((await template.render({ name: "y" })).bytes)).toEqual(["Dear y"]);
});

/**
 * Returns JSON that takes about 60 MB when it is parsed, in three strings, so that the process soon reaches its limit.
 */
function large(): Uint8Array {
  return Buffer.from(`{"list":[${`"\\n${"x".repeat(20_000_000)}",`.repeat(3)}0]}`);
}

test("a document that needs too much heap fails alone", async () => {
  await using renderer = pool({ processes: 1, heapLimitMb: 48 });
  const template = renderer.open(LETTER);
  const [first, poison, last] = await Promise.all([
    template.render({ name: "first" }),
    refusal(template.render(large())),
    template.render({ name: "last" }),
  ]);
  expect(poison.code).toBe("limit_exceeded");
  expect(poison.message).toMatch(/48 MB of heap/);
  expect([first, last].map(({ bytes }) => linesOf(bytes))).toEqual([["Dear first"], ["Dear last"]]);
});

test("a PDF that exceeds the limits of its process is rejected, and the next PDF is read", async () => {
  await using renderer = pool({ processes: 1, heapLimitMb: 40 });
  const page = `/X [${"<<>>".repeat(400_000)}]`;
  const large = renderer.openPdf(rawForm([textField("a")], { page }));
  const error = await refusal(large.withMetadata({ title: "x" }));
  expect([error.code, error.message]).toEqual([
    "limit_exceeded",
    expect.stringMatching(/^The PDF could not be changed .* heapLimitMb/),
  ]);
  const next = await renderer.openPdf(await linesPdf(["Hello"])).withMetadata({ title: "x" });
  expect((await PDFDocument.load(next)).getTitle()).toBe("x");
});
