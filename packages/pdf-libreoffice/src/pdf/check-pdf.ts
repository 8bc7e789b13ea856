import { checkWithPdfLib, type PdfExpectation, SHOWS_TEXT } from "./check-with-pdf-lib.ts";
import { PdfFile } from "./pdf-file.ts";
import { pagesOf } from "./pdf-pages.ts";
import { PdfName, type PdfValue } from "./pdf-syntax.ts";

/** The result of {@link checkPdf}: the number of pages, or the problem as the rest of a sentence. */
export type PdfCheck = { readonly pages: number } | { readonly problem: string };

const TAIL = 1024;

const WITHOUT_PAGES = { problem: "wrote a PDF without pages" };
const WITHOUT_TEXT = {
  problem: "wrote a PDF without any text, although the document has text",
};

/** Checks that the bytes are a complete PDF that parses, has a page, and contains text if expected. */
export async function checkPdf(bytes: Uint8Array, expected: PdfExpectation): Promise<PdfCheck> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length === 0) return { problem: "wrote an empty file" };
  if (file.toString("latin1", 0, 4) !== "%PDF")
    return { problem: "wrote a file that is not a PDF" };
  if (!file.includes("%%EOF", Math.max(0, file.length - TAIL))) {
    return { problem: "wrote a PDF that is cut off" };
  }
  const found = whole(file, expected.text) ?? (await checkWithPdfLib(bytes, expected));
  if ("problem" in found) return found;
  if (found.pages < 1) return WITHOUT_PAGES;
  return expected.text && found.text === false ? WITHOUT_TEXT : { pages: found.pages };
}

/**
 * Reads a PDF with the structure that LibreOffice usually writes, including all of its objects. Returns null for any
 * other structure and for a damaged PDF. pdf-lib then reads them; it supports more variants but takes several times as
 * long.
 */
function whole(bytes: Uint8Array, lookForText: boolean): { pages: number; text: boolean } | null {
  try {
    const file = new PdfFile(bytes);
    const objects = [...file.objects()];
    const pages = pagesOf(file);
    const isNamed = (value: PdfValue, key: string, name: string): boolean => {
      const found = value instanceof Map ? value.get(key) : null;
      return found instanceof PdfName && found.name === name;
    };
    const shows = (content: PdfValue | undefined): boolean =>
      SHOWS_TEXT.test(file.contentOf(content).toString("latin1"));
    const showsText = (): boolean =>
      objects.some(({ value }) => isNamed(value, "Type", "Font")) &&
      (pages.some(({ dict }) => file.contentsOf(dict).some(shows)) ||
        objects.some(({ value, ref }) => isNamed(value, "Subtype", "Form") && shows(ref)));
    return { pages: pages.length, text: lookForText && showsText() };
  } catch {
    return null;
  }
}
