import { describe, expect, test } from "vitest";
import { differenceBetween } from "../src/join/same-document.ts";
import { pdfOf, type TestPdf, textAt, xmp } from "./join-pdf.ts";

const BASE: TestPdf = {
  glyphs: "ab",
  otherGlyphs: "ab",
  pictures: ["picture"],
  pages: [
    {
      content: `0 0 0 rg\n${textAt(10, 20, [1, 2])}q 1 0 0 1 5 5 cm /Im1 Do Q\n1 w 0 0 m 9 9 l S\n`,
    },
  ],
};

function difference(other: Partial<TestPdf>): string | null {
  return differenceBetween(pdfOf(BASE), pdfOf({ ...BASE, ...other }));
}

function withXmp(metadata: string): Uint8Array {
  return pdfOf({ ...BASE, xmp: metadata });
}

function drawn(content: string): string | null {
  return difference({ pages: [{ content }] });
}

const [{ content }] = BASE.pages as [{ content: string }];

describe("two PDFs show the same", () => {
  test("when they are the same", () => {
    expect(difference({})).toBeNull();
  });

  test("with any codes for their glyphs, and in any subset of the font", () => {
    expect(
      difference({ glyphs: "ba", pages: [{ content: content.replace("<0102>", "<0201>") }] }),
    ).toBeNull();
    expect(drawn(content.replace("/F1", "/F2"))).toBeNull();
  });

  test("with their texts split in any way", () => {
    expect(drawn(content.replace("<0102>Tj", "[<01>0<02>]TJ"))).toBeNull();
    expect(drawn(content.replace("<0102>Tj", "<01>Tj 5 0 Td /F2 10 Tf<02>Tj"))).toBeNull();
  });

  test("when a glyph is marked with its text, because it represents another text elsewhere", () => {
    const told = content.replace("<0102>Tj", "<01>Tj/Span<</ActualText<FEFF0062>>>BDC<01>Tj EMC ");
    expect(drawn(told)).toBeNull();
    expect(drawn(told.replace("FEFF0062", "FEFF0063"))).not.toBeNull();
  });

  test("when they were written at different times", () => {
    expect(difference({ info: "<</Title(T)/CreationDate(D:2000)>>" })).toBeNull();
  });

  test("when their XMP was written at different times", () => {
    const [now, later] = [xmp("T", "2026-01-02T00:00:00Z"), xmp("T", "2026-01-02T00:00:01+01:00")];
    expect(differenceBetween(withXmp(now), withXmp(later))).toBeNull();
  });

  test("when positions differ invisibly", () => {
    expect(drawn(content.replace("10 20 Td", "10.03 20 Td"))).toBeNull();
  });
});

describe("two PDFs differ", () => {
  test.each([
    ["in a text", { glyphs: "ac" }],
    ["in a picture", { pictures: ["another"] }],
    ["in their title", { info: "<</Title(U)>>" }],
    ["in their number of pages", { pages: [...BASE.pages, ...BASE.pages] }],
    ["in links", { pages: [{ content, annotations: ["<</Subtype/Link/A<</URI(x)>>>>"] }] }],
  ])("%s", (_, other) => {
    expect(difference(other)).not.toBeNull();
  });

  test.each([
    ["the position of a text", "10 20 Td", "10 21 Td"],
    ["the size of a text", "10 Tf", "11 Tf"],
    ["a colour", "0 0 0 rg", "1 0 0 rg"],
    ["the position of a picture", "5 5 cm", "5 6 cm"],
    ["a line", "9 9 l", "9 8 l"],
    ["the width of a line", "1 w", "2 w"],
    ["a missing step", "1 w 0 0 m 9 9 l S\n", ""],
    ["an additional step", "l S\n", "l S\n0 0 m S\n"],
    ["the space between letters", "10 Tf", "10 Tf 3 Tc"],
    ["an unsupported operator", "1 w", "BI"],
  ])("in %s", (_, from, to) => {
    expect(content).toContain(from);
    expect(drawn(content.replace(from, to))).not.toBeNull();
  });

  test("in their XMP", () => {
    const date = "2026-01-02T00:00:00Z";
    const difference = differenceBetween(withXmp(xmp("T", date)), withXmp(xmp("U", date)));
    expect(difference).toBe("different XMP metadata");
    expect(differenceBetween(withXmp(xmp("T", date)), pdfOf(BASE))).toBe(difference);
  });

  test("without a quote of their text", () => {
    expect(difference({ glyphs: "ac" })).toBe("page 1: a different step (glyph, glyph)");
  });
});
