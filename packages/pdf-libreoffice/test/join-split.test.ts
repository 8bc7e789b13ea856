import { PDFArray, PDFDict, PDFDocument, PDFName, PDFStream } from "pdf-lib";
import { describe, expect, test } from "vitest";
import { splitPdf } from "../src/join/pdf/split-pdf.ts";
import { UnsupportedPdf } from "../src/pdf/pdf-syntax.ts";
import { pdfOf, type TestPage, type TestPdf, textAt, xmp } from "./join-pdf.ts";

const LINK = "<</Type/Annot/Subtype/Link/Rect[0 0 1 1]/A<</S/URI/URI(https://x.example)>>>>";
const PAGE_LINK = "<</Type/Annot/Subtype/Link/Rect[0 0 1 1]/Dest[1 0 R/XYZ 0 0 0]>>";

function page(content: string, annotations: readonly string[] = []): TestPage {
  return { content, annotations };
}

/** Three entries with one, two and one pages. */
const PDF: TestPdf = {
  glyphs: "abc",
  otherGlyphs: "x",
  pictures: ["first picture", "second picture"],
  marks: { quireStart0: 0, quireStart1: 1, quireStart2: 3, another: 2 },
  pages: [
    page(`${textAt(1, 2, [1])}/Im1 Do\n`, [PAGE_LINK]),
    page(textAt(1, 2, [2]), [LINK, PAGE_LINK]),
    page("/Im2 Do\n"),
    page(textAt(1, 2, [1], "F2")),
  ],
};

function bytesOf(pdf: Uint8Array, entries: number): string[] {
  return splitPdf(pdf, entries).map((entry) => Buffer.from(entry?.bytes ?? []).toString("latin1"));
}

function entriesOf(pdf: Uint8Array): { readonly bytes: Uint8Array }[] {
  return splitPdf(pdf, 3).map((entry) => entry ?? { bytes: new Uint8Array() });
}

describe("the PDF of joined documents", () => {
  test("is divided at its bookmarks", async () => {
    const entries = splitPdf(pdfOf(PDF), 3);
    expect(entries.map((entry) => entry?.pages)).toEqual([1, 2, 1]);
    for (const entry of entries) {
      const pdf = await PDFDocument.load(entry?.bytes ?? new Uint8Array(), {
        throwOnInvalidObject: true,
        updateMetadata: false,
      });
      expect(pdf.getPageCount()).toBe(entry?.pages);
      expect(pdf.getPage(0).getSize()).toEqual({ width: 595.3, height: 842 });
      expect(pdf.getTitle()).toBe("T");
      expect(pdf.catalog.get(PDFName.of("Dests"))).toBeUndefined();
      expect(pdf.catalog.lookup(PDFName.of("Lang"))?.toString()).toBe("(en-US)");
      expect(pdf.catalog.lookup(PDFName.of("OpenAction"), PDFArray).get(0)).toBe(
        pdf.getPage(0).ref,
      );
    }
  });

  test("gives each entry only what its pages use", () => {
    const [first = "", second = "", third = ""] = bytesOf(pdfOf(PDF), 3);
    expect([first, second, third].map((text) => text.includes("first picture"))).toEqual([
      true,
      false,
      false,
    ]);
    expect([first, second, third].map((text) => text.includes("second picture"))).toEqual([
      false,
      true,
      false,
    ]);
    expect([first, second, third].map((text) => text.includes("BAAAAA+Test"))).toEqual([
      true,
      true,
      false,
    ]);
    expect([first, second, third].map((text) => text.includes("CAAAAA+Test"))).toEqual([
      false,
      false,
      true,
    ]);
    expect(first).not.toContain("quireStart");
  });

  test("keeps links to addresses, and drops links to pages", async () => {
    const [first, second] = splitPdf(pdfOf(PDF), 3);
    const linksOf = async (bytes: Uint8Array | undefined): Promise<number | null> => {
      const pdf = await PDFDocument.load(bytes ?? new Uint8Array());
      const links = pdf.getPage(0).node.Annots();
      expect(pdf.getPage(0).node.has(PDFName.of("Tabs"))).toBe(links !== undefined);
      for (const link of links?.asArray() ?? []) {
        expect(
          pdf.context.lookup(link, PDFDict).lookup(PDFName.of("A"), PDFDict).has(PDFName.of("URI")),
        ).toBe(true);
      }
      return links?.size() ?? null;
    };
    expect(await linksOf(first?.bytes)).toBeNull();
    expect(await linksOf(second?.bytes)).toBe(1);
  });

  test("gives each entry only the resources that its drawings use", () => {
    const pages = [page("/Fm1 Do\n"), ...PDF.pages.slice(1)];
    const [first = "", second = ""] = bytesOf(pdfOf({ ...PDF, pages, drawing: "/Im1 Do\n" }), 3);
    expect(first).toContain("first picture");
    expect(first).not.toContain("second picture");
    expect(second).not.toContain("/Fm1");
  });

  test("has the same bytes for the same file on any day", () => {
    expect(bytesOf(pdfOf(PDF), 3)).toEqual(bytesOf(pdfOf(PDF), 3));
    const other = pdfOf({ ...PDF, info: "<</Title(T)/CreationDate(D:20300101000000Z')>>" });
    expect(bytesOf(other, 3)).toEqual(bytesOf(pdfOf(PDF), 3));
  });

  test("has its dates where LibreOffice writes them, so that they can be replaced", () => {
    for (const text of bytesOf(pdfOf(PDF), 3)) {
      expect(text.slice(text.lastIndexOf(" 0 obj"))).toContain("/CreationDate(D:20000101000000Z)");
    }
  });

  test("gives each entry the XMP", async () => {
    const metadata = xmp("T", "2026-11-21T18:17:15Z");
    for (const { bytes } of entriesOf(pdfOf({ ...PDF, xmp: metadata }))) {
      const pdf = await PDFDocument.load(bytes, { throwOnInvalidObject: true });
      const stream = pdf.catalog.lookup(PDFName.of("Metadata"), PDFStream);
      expect(stream.getContentsString()).toBe(metadata);
    }
  });

  test("reports an entry whose page count may be wrong", () => {
    const counted = { ...PDF, marks: { ...PDF.marks, quireEnd0: 0, quireEnd1: 1, quireEnd2: 3 } };
    expect(splitPdf(pdfOf(counted), 3).map((entry) => entry?.pages ?? null)).toEqual([1, null, 1]);
  });

  test.each([
    ["a missing start", { quireStart0: 0, quireStart2: 3 }],
    ["two entries on one page", { quireStart0: 0, quireStart1: 0, quireStart2: 3 }],
    ["entries out of order", { quireStart0: 0, quireStart1: 3, quireStart2: 1 }],
    ["pages before the first entry", { quireStart0: 1, quireStart1: 2, quireStart2: 3 }],
  ])("is refused with %s", (_, marks) => {
    expect(() => splitPdf(pdfOf({ ...PDF, marks }), 3)).toThrow(UnsupportedPdf);
  });

  test.each([
    ["tags", { catalog: "/StructTreeRoot 1 0 R" }],
    ["an outline", { catalog: "/Outlines 1 0 R" }],
    [
      "pages with unknown entries",
      { pages: PDF.pages.map((each) => ({ ...each, more: "/StructParents 0" })) },
    ],
    [
      "annotations other than links",
      { pages: [page("", ["<</Subtype/Widget>>"]), ...PDF.pages.slice(1)] },
    ],
    ["unknown resources", { resources: "/Secret<<>>" }],
  ])("is refused with %s", (_, more) => {
    expect(() => splitPdf(pdfOf({ ...PDF, ...more }), 3)).toThrow(UnsupportedPdf);
  });

  test("is refused when it is cut off at any byte", () => {
    const pdf = pdfOf(PDF);
    for (let length = 0; length < pdf.length - 1; length += 7) {
      expect(() => splitPdf(pdf.subarray(0, length), 3)).toThrow(UnsupportedPdf);
    }
  });
});
