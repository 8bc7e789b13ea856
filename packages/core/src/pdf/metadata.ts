import type { PdfMetadata } from "../ports/converter.ts";

/**
 * The PDF with what it says of itself: what is left out stays as it is, but for the dates, which are always
 * set. A PDF that says it a second time, as XMP, says the same there. Its ids are made of its content, so that
 * equal PDFs get equal bytes. Rejects `invalid_request` for a PDF that is damaged, encrypted or signed, whose
 * XMP cannot be read, and for a date that is none.
 */
export async function withMetadata(pdf: Uint8Array, metadata: PdfMetadata): Promise<Uint8Array> {
  const { writeMetadata } = await import("./write-metadata.ts");
  return writeMetadata(pdf, metadata);
}
