import { assertDocx, QuireError } from "@quire/core";

/**
 * Throws `conversion_failed` unless the bytes are a Word document. LibreOffice opens HTML, RTF, text
 * and flat ODF under any name, and follows what they link to, so nothing else may reach it.
 */
export function assertConvertible(document: Uint8Array): void {
  try {
    assertDocx(document);
  } catch (cause) {
    throw new QuireError(
      "conversion_failed",
      "The document is not a Word document (.docx), so LibreOffice was not given it. Pass a document that Quire rendered.",
      { cause },
    );
  }
}
