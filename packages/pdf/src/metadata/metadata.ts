import type { PdfMetadata } from "@quire/contracts";

/**
 * Sets the metadata of a PDF. Omitted fields do not change, except the dates, which are always set. If the PDF repeats
 * its metadata as XMP, the XMP changes too. The PDF's ids are derived from its content, so that equal PDFs get equal
 * bytes. Rejects `invalid_request` for a PDF that is damaged, encrypted or signed, for unreadable XMP, and for an
 * invalid date.
 */
export async function withMetadata(pdf: Uint8Array, metadata: PdfMetadata): Promise<Uint8Array> {
  const { writeMetadata } = await import("./write-metadata.ts");
  return writeMetadata(pdf, metadata);
}
