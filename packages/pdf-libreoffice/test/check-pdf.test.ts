/** Tests which PDFs are accepted, and which output of LibreOffice is rejected. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { PDFDocument, PDFName, StandardFonts } from "pdf-lib";
import { expect, test } from "vitest";
import { libreOffice } from "../src/index.ts";
import { checkPdf } from "../src/pdf/check-pdf.ts";
import { docx, paragraph, textDocx } from "./docx.ts";
import { closing, fakeSoffice, rejection, slowTest, testFolder } from "./laboratory.ts";

const WITH_TEXT = { text: true, encrypted: false };
const ANY = { text: false, encrypted: false };

type Draw = (pdf: PDFDocument) => Promise<void> | void;

async function pdfOf(...draw: readonly Draw[]): Promise<Uint8Array> {
  return (await written(draw)).save({ addDefaultPage: false });
}

/** Creates a PDF with an object table, as LibreOffice writes it, and the same PDF with object streams. */
async function bothOf(...draw: readonly Draw[]): Promise<Uint8Array[]> {
  const pdf = await written(draw);
  const options = { addDefaultPage: false };
  return Promise.all(
    [true, false].map((useObjectStreams) => pdf.save({ ...options, useObjectStreams })),
  );
}

async function written(draw: readonly Draw[]): Promise<PDFDocument> {
  const pdf = await PDFDocument.create();
  for (const one of draw) await one(pdf);
  return pdf;
}

const EMPTY: Draw = (pdf) => void pdf.addPage();
const LINES: Draw = (pdf) => pdf.addPage().drawLine({ start: { x: 0, y: 0 }, end: { x: 9, y: 9 } });
const TEXT: Draw = (pdf) => pdf.addPage().drawText("text");
const UNUSED_FONT: Draw = async (pdf) => {
  const font = await pdf.embedFont(StandardFonts.Courier);
  pdf.addPage().node.setFontDictionary(PDFName.of("F1"), font.ref);
};
/** Draws text in a form of the page, as in a watermark or a chart. */
const FORM: Draw = async (pdf) => {
  const font = await pdf.embedFont(StandardFonts.Courier);
  const form = pdf.context.register(
    pdf.context.flateStream("BT /F1 12 Tf (text) Tj ET", {
      Type: "XObject",
      Subtype: "Form",
      BBox: [0, 0, 100, 100],
      Resources: { Font: { F1: font.ref } },
    }),
  );
  const page = pdf.addPage();
  page.node.setXObject(PDFName.of("X1"), form);
  page.node.addContentStream(pdf.context.register(pdf.context.stream("/X1 Do")));
};
const PIECES: Draw = async (pdf) => {
  const font = await pdf.embedFont(StandardFonts.Courier);
  const page = pdf.addPage();
  page.node.setFontDictionary(PDFName.of("F1"), font.ref);
  for (const piece of ["q", "BT /F1 12 Tf [(te)-20(xt)]TJ ET", "Q"]) {
    page.node.addContentStream(pdf.context.register(pdf.context.stream(piece)));
  }
};

test("the pages of a PDF are counted", async () => {
  for (const pdf of await bothOf(TEXT, EMPTY, LINES)) {
    expect(await checkPdf(pdf, WITH_TEXT)).toEqual({ pages: 3 });
  }
  for (const pdf of await bothOf(EMPTY)) expect(await checkPdf(pdf, ANY)).toEqual({ pages: 1 });
});

test("expected text must be shown on a page or in a form", async () => {
  for (const draw of [[TEXT], [FORM], [PIECES], [EMPTY, LINES, TEXT]]) {
    for (const pdf of await bothOf(...draw)) {
      expect(await checkPdf(pdf, WITH_TEXT)).toEqual({ pages: draw.length });
    }
  }
  for (const draw of [[EMPTY], [LINES], [UNUSED_FONT], [EMPTY, UNUSED_FONT, LINES]]) {
    for (const pdf of await bothOf(...draw)) {
      expect(await checkPdf(pdf, WITH_TEXT)).toEqual({
        problem: "wrote a PDF without any text, although the document has text",
      });
    }
  }
});

test("the letters of an operator within a text do not count as an operator", async () => {
  const pdf = await PDFDocument.create();
  await pdf.embedFont(StandardFonts.Courier);
  const name = pdf.context.stream("q /Tj gs (a Tj b) pop Q");
  pdf.addPage().node.addContentStream(pdf.context.register(name));
  for (const useObjectStreams of [true, false]) {
    expect(await checkPdf(await pdf.save({ useObjectStreams }), ANY)).toEqual({ pages: 1 });
  }
});

test("a file that is not a complete PDF is reported with the reason", async () => {
  const whole = await pdfOf(TEXT);
  const text = Buffer.from(whole).toString("latin1");
  const latin = (changed: string) => Uint8Array.from(Buffer.from(changed, "latin1"));
  const cases: Readonly<Record<string, Uint8Array>> = {
    "wrote an empty file": new Uint8Array(),
    "wrote a file that is not a PDF": latin(`<html>${text}`),
    "wrote a PDF that is cut off": whole.subarray(0, whole.length - 7),
    "wrote a PDF without pages": await pdfOf(),
    "wrote a PDF that does not parse": latin("%PDF-1.6\nx\n%%EOF\n"),
  };
  for (const [problem, bytes] of Object.entries(cases)) {
    const check = await checkPdf(bytes, WITH_TEXT);
    expect("problem" in check && check.problem).toContain(problem);
  }
});

test("a PDF that is cut off anywhere or lacks a piece is never accepted", async () => {
  for (const whole of await bothOf(TEXT, TEXT, FORM)) {
    for (let cut = 0; cut < whole.length - 6; cut += 97) {
      const check = await checkPdf(whole.subarray(0, cut), WITH_TEXT);
      expect([cut, "problem" in check]).toEqual([cut, true]);
    }
  }
});

test("bytes within a larger buffer are read at their offset", async () => {
  const whole = await pdfOf(TEXT);
  const larger = new Uint8Array(whole.length + 20).fill(0x20);
  larger.set(whole, 10);
  expect(await checkPdf(larger.subarray(10, 10 + whole.length), WITH_TEXT)).toEqual({ pages: 1 });
});

slowTest("a PDF without text is a failure only if the document has text", async () => {
  const tempDir = await testFolder();
  await writeFile(join(tempDir, "blank.pdf"), await pdfOf(EMPTY));
  const sofficePath = await fakeSoffice(
    tempDir,
    `[ -n "$out" ] && cp '${tempDir}/blank.pdf' "$out"`,
  );
  await using office = closing(libreOffice({ lanes: 1, mode: "fresh", tempDir, sofficePath }));
  const error = await rejection(office.convert(textDocx("a text")));
  expect(error.code).toBe("conversion_failed");
  expect(error.message).toContain("without any text, although the document has text");
  const hidden = "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r></w:p>";
  const deleted =
    '<w:p><w:del w:id="1" w:author="a"><w:r><w:delText>x</w:delText></w:r></w:del></w:p>';
  for (const body of [paragraph(""), paragraph(" \t\n "), hidden, deleted, "<w:p/>"]) {
    expect((await office.convert(docx({ body }))).pages).toBe(1);
  }
});

test("a page whose compressed content ends in a carriage return is accepted", async () => {
  let content = Buffer.alloc(0);
  let text = "";
  for (let number = 0; content.at(-1) !== 0x0d; number++) {
    text = `BT /F1 12 Tf 72 720 Td (Letter ${number}) Tj ET`;
    content = deflateSync(text);
  }
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 6 0 R>>>>>>",
    `<</Length 5 0 R/Filter/FlateDecode>>\nstream\n${content.toString("latin1")}\nendstream`,
    String(content.length),
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ];
  let file = "%PDF-1.6\n";
  const offsets = objects.map((object, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 7\n0000000000 65535 f \n${offsets.join("")}`;
  const pdf = `${file}${table}trailer\n<</Size 7/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`;
  const bytes = Buffer.from(pdf, "latin1");
  expect(await checkPdf(bytes, { text: true, encrypted: false })).toEqual({ pages: 1 });
});
