/** The dates and ids of PDFs do not depend on the clock. */
import { describe, expect, test } from "vitest";
import { steady } from "../src/pdf/steady.ts";
import { pdfOf, type TestPdf, textAt, xmp } from "./join-pdf.ts";

const PAGES: TestPdf = { glyphs: "a", pages: [{ content: textAt(1, 2, [1]) }] };

function made(title: string, date: string, pictures: readonly string[] = []): string {
  const pdf = Buffer.from(pdfOf({ ...PAGES, pictures, xmp: xmp(title, date) }));
  steady(pdf, "2030-05-06T07:08:09.123Z");
  return pdf.toString("latin1");
}

describe("the XMP of a PDF", () => {
  test.each(["2026-01-02T00:00:00Z", "2026-01-02T00:00:00+01:00"])("has the given date", (date) => {
    const dates = made("T", date).match(/\d{4}-\d\d-\d\dT[^<]*/g);
    expect(dates?.map((each) => each.trim())).toEqual(Array(4).fill("2030-05-06T07:08:09Z"));
  });

  test("keeps a title that is a date", () => {
    expect(made("2026-01-02T00:00:00Z", "2026-01-02T00:00:01Z")).toContain(
      ">2026-01-02T00:00:00Z<",
    );
  });

  test("is not taken from a picture that contains XMP", () => {
    const picture = xmp("Photo", "2001-02-03T04:05:06Z");
    const pdf = made("T", "2026-01-02T00:00:00Z", [picture]);
    expect(pdf).toContain(picture);
    expect(pdf).not.toContain("2026-");
  });
});

test("a picture with XMP keeps its dates in a PDF without XMP", () => {
  const picture = xmp("Photo", "2001-02-03T04:05:06Z");
  const pdf = Buffer.from(pdfOf({ ...PAGES, pictures: [picture] }));
  steady(pdf);
  expect(pdf.toString("latin1")).toContain(picture);
});
