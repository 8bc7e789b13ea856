import { findText, stampPages, withMetadata } from "@quire/pdf";
import { PDFDocument } from "pdf-lib";
import { afterAll, describe, expect, test } from "vitest";
import { refusal } from "../../contracts/test/support/refusal.ts";
import { linesPdf, oneField } from "../../pdf/test/support/pdf.ts";
import { type PdfReader, type Renderer, renderInProcess, renderPool } from "../src/index.ts";

const renderers: readonly [string, () => Renderer & PdfReader][] = [
  ["a pool", () => renderPool({ processes: 1 })],
  ["this process", renderInProcess],
];

describe.concurrent.each(renderers)("a PDF in %s", (_, start) => {
  const renderer = start();
  afterAll(() => renderer.close());

  test("gives the same results as withMetadata, stampPages and findText", async () => {
    const bytes = await linesPdf(["Hello /sig1/"]);
    const pdf = renderer.openPdf(bytes);
    const metadata = { title: "A letter", author: undefined };
    const stamp = { text: "Page {page}" };
    expect(await pdf.withMetadata(metadata)).toEqual(await withMetadata(bytes, metadata));
    expect(await pdf.stampPages(stamp)).toEqual(await stampPages(bytes, stamp));
    expect(await pdf.findText(["/sig1/"])).toEqual(await findText(bytes, ["/sig1/"]));
  });

  test("is rejected with the same errors as by these functions", async () => {
    const told = async (promise: Promise<unknown>): Promise<string[]> => {
      const { code, message } = await refusal(promise);
      return [code, message];
    };
    for (const bytes of [Buffer.from("no"), Buffer.from("%PDF-1.7 no")]) {
      const pdf = renderer.openPdf(bytes);
      expect(await told(pdf.withMetadata({}))).toEqual(await told(withMetadata(bytes, {})));
      expect(await told(pdf.stampPages({ text: "x" }))).toEqual(
        await told(stampPages(bytes, { text: "x" })),
      );
      expect(await told(pdf.findText(["x"]))).toEqual(await told(findText(bytes, ["x"])));
    }
  });

  test("is separate from a template with the same bytes", async () => {
    const bytes = await oneField("name");
    const form = renderer.open(bytes);
    const pdf = renderer.openPdf(bytes);
    const [filled, titled] = await Promise.all([
      form.render({ name: "Ann" }),
      pdf.withMetadata({ title: "A form" }),
    ]);
    expect(filled.pages).toBe(1);
    expect((await PDFDocument.load(titled)).getTitle()).toBe("A form");
  });

  test("is not started after an abort", async () => {
    const pdf = renderer.openPdf(await linesPdf(["x"]));
    const signal = AbortSignal.abort();
    expect((await refusal(pdf.findText(["x"], { signal }))).code).toBe("aborted");
  });
});
