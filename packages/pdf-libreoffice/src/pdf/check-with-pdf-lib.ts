import { constants, inflateSync } from "node:zlib";
import type { PDFDocument, PDFObject } from "pdf-lib";

/** The expected properties of a PDF. */
export interface PdfExpectation {
  /** Whether the PDF must contain text. */
  readonly text: boolean;
  /** Whether the PDF is encrypted, so that its text cannot be checked. */
  readonly encrypted: boolean;
}

/** Operators that show text, delimited by white space or brackets. A page with text contains at least one. */
export const SHOWS_TEXT = /(?:^|[\s\])>])(?:Tj|TJ|'|")(?=\s|$)/;

type PdfLib = typeof import("pdf-lib");

/** Maximum number of bytes of a page that are inflated to find out whether the page shows text. */
const MAX_CONTENT = 50_000_000;

/** Reads any PDF: the number of its pages and, if requested, whether it contains text. */
export async function checkWithPdfLib(
  bytes: Uint8Array,
  expected: PdfExpectation,
): Promise<
  { readonly pages: number; readonly text: boolean | null } | { readonly problem: string }
> {
  const { default: library } = await import("pdf-lib"); // Node 22.13 does not find its named exports
  try {
    const pdf = await library.PDFDocument.load(bytes, {
      updateMetadata: false,
      throwOnInvalidObject: true,
      ignoreEncryption: expected.encrypted,
    });
    const looked = expected.text && !expected.encrypted;
    return { pages: pdf.getPageCount(), text: looked ? holdsText(library, pdf) : null };
  } catch (error) {
    return { problem: `wrote a PDF that does not parse (${String(error).slice(0, 200)})` };
  }
}

/** Whether a page, or a form drawn on a page, shows text. Nearly always, the first page does. */
function holdsText(library: PdfLib, pdf: PDFDocument): boolean {
  if (!pdf.context.enumerateIndirectObjects().some(([, object]) => isFont(library, object)))
    return false;
  for (const page of pdf.getPages()) {
    const contents = page.node.Contents();
    const streams = contents instanceof library.PDFArray ? contents.asArray() : [contents];
    if (streams.some((stream) => showsText(library, pdf.context.lookup(stream)))) return true;
  }
  return pdf.context
    .enumerateIndirectObjects()
    .some(([, object]) => subtypeOf(library, object) === "Form" && showsText(library, object));
}

function isFont({ PDFDict, PDFName }: PdfLib, object: PDFObject): boolean {
  return object instanceof PDFDict && object.get(PDFName.of("Type")) === PDFName.of("Font");
}

function subtypeOf({ PDFName, PDFRawStream }: PdfLib, object: PDFObject): string | null {
  if (!(object instanceof PDFRawStream)) return null;
  const subtype = object.dict.get(PDFName.of("Subtype"));
  return subtype instanceof PDFName ? subtype.decodeText() : null;
}

function showsText({ PDFName, PDFRawStream }: PdfLib, stream: PDFObject | undefined): boolean {
  if (!(stream instanceof PDFRawStream)) return false;
  const flate = stream.dict.get(PDFName.of("Filter")) === PDFName.of("FlateDecode");
  const content = flate
    ? inflateSync(stream.contents, {
        maxOutputLength: MAX_CONTENT,
        // If the length is in another object, pdf-lib searches for the end of the stream. If the last byte happens to
        // be a carriage return, pdf-lib takes it for a part of the line end.
        finishFlush: constants.Z_SYNC_FLUSH,
      })
    : Buffer.from(stream.contents);
  return SHOWS_TEXT.test(content.toString("latin1"));
}
