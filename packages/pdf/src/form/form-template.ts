import { copyBytes } from "@quire/contracts";
import type { PdfForm } from "./pdf-form.ts";

/**
 * Compiles a PDF form once, for any number of documents. Rejects `invalid_template` for a PDF that has no form fields,
 * is signed, encrypted, damaged or malicious, or whose form works only in Adobe Reader (dynamic XFA). The bytes are
 * copied.
 */
export async function compilePdfForm(bytes: Uint8Array): Promise<PdfForm> {
  const { compileForm } = await import("./compile-form.ts");
  return compileForm(copyBytes("compilePdfForm()", bytes));
}
