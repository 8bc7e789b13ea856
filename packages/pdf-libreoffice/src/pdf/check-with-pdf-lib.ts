import { constants, inflateSync } from "node:zlib";
import type { PDFDocument, PDFObject } from "pdf-lib";

/** What is expected of a PDF. */
export interface PdfExpectation {
  /** Whether it must hold text. */
  readonly text: boolean;
  /** Whether it is encrypted, so that its text cannot be looked at. */
  readonly encrypted: boolean;
}

/** A page that shows text has one of these between spaces. */
export const SHOWS_TEXT = /(?:^|[\s\])>])(?:Tj|TJ|'|")(?=\s|$)/;

type PdfLib = typeof import("pdf-lib");

/** More of a page need not be looked at to find out whether it shows text. */
const MAX_CONTENT = 50_000_000;

/** Reads any PDF: the number of its pages and, where that is asked for, whether it holds text. */
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

/** Whether a page, or a form that is drawn on one, shows text. The first page nearly always does. */
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
        // Where the length stands in another object, pdf-lib looks for the end, and takes a last byte that
        // happens to be a carriage return for a part of the line's end.
        finishFlush: constants.Z_SYNC_FLUSH,
      })
    : Buffer.from(stream.contents);
  return SHOWS_TEXT.test(content.toString("latin1"));
}
