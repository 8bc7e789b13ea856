import { PDFDocument } from "pdf-lib";

/** What {@link checkPdf} found: the number of pages, or what is wrong as the rest of a sentence. */
export type PdfCheck = { readonly pages: number } | { readonly problem: string };

const TAIL = 1024;

/** Whether bytes are a whole PDF that parses and has a page. */
export async function checkPdf(bytes: Uint8Array): Promise<PdfCheck> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length === 0) return { problem: "wrote an empty file" };
  if (file.toString("latin1", 0, 4) !== "%PDF") return { problem: "wrote a file that is no PDF" };
  if (!file.includes("%%EOF", Math.max(0, file.length - TAIL))) {
    return { problem: "wrote a PDF that breaks off before its end" };
  }
  try {
    const pdf = await PDFDocument.load(bytes, {
      updateMetadata: false,
      throwOnInvalidObject: true,
    });
    const pages = pdf.getPageCount();
    return pages >= 1 ? { pages } : { problem: "wrote a PDF without pages" };
  } catch (error) {
    return { problem: `wrote a PDF that does not parse (${String(error).slice(0, 200)})` };
  }
}
