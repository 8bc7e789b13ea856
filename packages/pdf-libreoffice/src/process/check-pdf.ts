import { constants, inflateSync } from "node:zlib";
import { PDFArray, PDFDict, PDFDocument, PDFName, type PDFObject, PDFRawStream } from "pdf-lib";

/** What {@link checkPdf} found: the number of pages, or what is wrong as the rest of a sentence. */
export type PdfCheck = { readonly pages: number } | { readonly problem: string };

/** What is expected of a PDF. */
export interface PdfExpectation {
  /** Whether it must hold text. */
  readonly text: boolean;
  /** Whether it is encrypted, so that its text cannot be looked at. */
  readonly encrypted: boolean;
}

const TAIL = 1024;

/** A page that shows text has one of these between spaces. */
const SHOWS_TEXT = /(?:^|[\s\])>])(?:Tj|TJ|'|")(?=\s|$)/;

/** More of a page need not be looked at to find out whether it shows text. */
const MAX_CONTENT = 50_000_000;

/** Whether bytes are a whole PDF that parses, has a page, and holds text where that is expected. */
export async function checkPdf(bytes: Uint8Array, expected: PdfExpectation): Promise<PdfCheck> {
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
      ignoreEncryption: expected.encrypted,
    });
    const pages = pdf.getPageCount();
    if (pages < 1) return { problem: "wrote a PDF without pages" };
    if (expected.text && !expected.encrypted && !holdsText(pdf)) {
      return { problem: "wrote a PDF without any text, although the document has text" };
    }
    return { pages };
  } catch (error) {
    return { problem: `wrote a PDF that does not parse (${String(error).slice(0, 200)})` };
  }
}

/** Whether a page, or a form that is drawn on one, shows text. The first page nearly always does. */
function holdsText(pdf: PDFDocument): boolean {
  if (!pdf.context.enumerateIndirectObjects().some(([, object]) => isFont(object))) return false;
  for (const page of pdf.getPages()) {
    const contents = page.node.Contents();
    const streams = contents instanceof PDFArray ? contents.asArray() : [contents];
    if (streams.some((stream) => showsText(pdf.context.lookup(stream)))) return true;
  }
  return pdf.context
    .enumerateIndirectObjects()
    .some(([, object]) => subtypeOf(object) === "Form" && showsText(object));
}

function isFont(object: PDFObject): boolean {
  return object instanceof PDFDict && object.get(PDFName.of("Type")) === PDFName.of("Font");
}

function subtypeOf(object: PDFObject): string | null {
  if (!(object instanceof PDFRawStream)) return null;
  const subtype = object.dict.get(PDFName.of("Subtype"));
  return subtype instanceof PDFName ? subtype.decodeText() : null;
}

function showsText(stream: PDFObject | undefined): boolean {
  if (!(stream instanceof PDFRawStream)) return false;
  const flate = stream.dict.get(PDFName.of("Filter")) === PDFName.of("FlateDecode");
  const content = flate
    ? inflateSync(stream.contents, {
        maxOutputLength: MAX_CONTENT,
        // Where the length stands in another object, pdf-lib looks for the end, and takes a last byte that
        // happens to be a carriage return for a part of the line's end.
        finishFlush: constants.Z_SYNC_FLUSH,
      })
    : Buffer.from(stream.contents);
  return SHOWS_TEXT.test(content.toString("latin1"));
}
