import { type PdfOptions, QuireError } from "@quire/contracts";

/**
 * Throws `invalid_request` for an output type other than `pdf`, and for options that only a converter supports.
 * Otherwise, such options would be ignored silently.
 */
export function assertFormOptions(outputType: "docx" | "pdf", options: PdfOptions = {}): void {
  if (outputType !== "pdf") {
    throw new QuireError(
      "invalid_request",
      'The template is a PDF form, which cannot produce a .docx. Use the output type "pdf".',
    );
  }
  const { metadata: _, ...others } = options;
  const [asked] = Object.entries(others).filter(
    ([, value]) => value !== undefined && value !== false,
  );
  if (asked !== undefined) {
    throw new QuireError(
      "invalid_request",
      `The template is a PDF form, which is filled without conversion, so the PDF option '${asked[0]}' is not supported. Remove it.`,
    );
  }
}
