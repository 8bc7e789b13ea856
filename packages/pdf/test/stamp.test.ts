import { degrees, PDFDocument } from "pdf-lib";
import { expect, test } from "vitest";
import { findText, stampPages } from "../src/index.ts";
import type { PageStamp } from "../src/stamp/page-stamp.ts";
import { linesPdf, pageTexts, rawPdf, rawStream } from "./support/pdf.ts";

/** Returns the position of a stamp on a page of 400 by 300 points. */
async function placed(stamp: Partial<PageStamp>, turn = 0, crop = false) {
  const pdf = await linesPdf(["line"], (page) => {
    page.setRotation(degrees(turn));
    if (crop) page.setCropBox(20, 30, 300, 250);
  });
  const [place] = await findText(await stampPages(pdf, { text: "STAMP", ...stamp }), ["STAMP"]);
  return place;
}

test("a stamp shows the number of its page and of all pages, on the selected pages", async () => {
  const pdf = await linesPdf(["a", "b", "c", "d"]);
  const all = await stampPages(pdf, { text: "Page {page} of {pages}" });
  expect(await pageTexts(all)).toEqual(
    [1, 2, 3, 4].map((n) => expect.stringContaining(`Page ${n} of 4`)),
  );
  const some = await stampPages(pdf, { text: "DRAFT", pages: "1,3-" });
  expect((await findText(some, ["DRAFT"])).map(({ page }) => page)).toEqual([1, 3, 4]);
});

test("a stamp has the given distance from the edges, as a reader sees the page", async () => {
  for (const [turn, crop, width, height] of [
    [0, false, 400, 300],
    [90, false, 300, 400],
    [180, true, 300, 250],
    [270, true, 250, 300],
  ] as const) {
    const low = await placed({ place: "bottom-left", x: 10, y: 20 }, turn, crop);
    expect(low).toMatchObject({ x: 10, angle: 0, fontSize: 10 });
    expect(low?.y).toBeCloseTo(20 + 2.07, 1);
    const high = await placed({ place: "top-right", x: 10, y: 20 }, turn, crop);
    expect((high?.x ?? 0) + (high?.width ?? 0)).toBeCloseTo(width - 10, 1);
    expect(high?.y).toBeCloseTo(height - 20 - 7.18, 1);
    const middle = await placed({ place: "center" }, turn, crop);
    expect((middle?.x ?? 0) + (middle?.width ?? 0) / 2).toBeCloseTo(width / 2, 1);
  }
});

test("a stamp is rotated around its middle if it is centred, and around its corner otherwise", async () => {
  const middle = await placed({ place: "center", rotate: 90 });
  expect(middle).toMatchObject({ angle: 90 });
  expect((middle?.y ?? 0) + (middle?.width ?? 0) / 2).toBeCloseTo(150, 1);
  const corner = await placed({ place: "bottom-left", x: 100, y: 100, rotate: -45 });
  expect(corner?.angle).toBeCloseTo(-45, 1);
});

test("transformations in the content of the page do not affect the stamp", async () => {
  const pdf = rawPdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 /Resources << /Font << /F 5 0 R >> >> >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] /Contents 4 0 R >>",
    rawStream("", "3 0 0 3 50 50 cm BT /F 8 Tf (old) Tj ET"),
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ]);
  const stamped = await stampPages(pdf, { text: "NEW", place: "bottom-left", x: 5, y: 5 });
  const [old, added] = await findText(stamped, ["old", "NEW"]);
  expect(old).toMatchObject({ x: 50, y: 50, fontSize: 24 });
  expect(added).toMatchObject({ x: 5, fontSize: 10 });
});

test("the same stamp gives the same bytes, and a page may have several stamps", async () => {
  const pdf = await linesPdf(["a"]);
  const stamp = { text: "x", opacity: 0.5, color: "#ff8000" };
  const once = await stampPages(pdf, stamp);
  expect(await stampPages(pdf, stamp)).toEqual(once);
  expect((await findText(await stampPages(once, { text: "y" }), ["x", "y"])).length).toBe(2);
  await PDFDocument.load(once, { updateMetadata: false });
});

test("invalid stamps, and PDFs that cannot be stamped, are rejected", async () => {
  const pdf = await linesPdf(["a"]);
  for (const [wrong, why] of [
    [{ text: "" }, "'text'"],
    [{ text: "中" }, "U+4E2D"],
    [{ text: "x", size: 0 }, "'size'"],
    [{ text: "x", color: "red" }, "'color'"],
    [{ text: "x", pages: "3-1" }, '"3-1"'],
    [{ text: "x", place: "here" as "top" }, "'place'"],
  ] as const) {
    await expect(stampPages(pdf, wrong)).rejects.toThrow(why);
  }
  const archival = rawPdf([
    "<< /Type /Catalog /Pages 2 0 R /OutputIntents [<< /S /GTS_PDFA1 >>] >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R >>",
  ]);
  await expect(stampPages(archival, { text: "x" })).rejects.toThrow("PDF/A");
  const signed = rawPdf([
    "<< /Type /Catalog /Pages 2 0 R /X 4 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R >>",
    "<< /Type /Sig /ByteRange [0 1 2 3] >>",
  ]);
  await expect(stampPages(signed, { text: "x" })).rejects.toThrow("signed");
  await expect(stampPages(Buffer.from("no"), { text: "x" })).rejects.toMatchObject({
    code: "invalid_request",
  });
});
