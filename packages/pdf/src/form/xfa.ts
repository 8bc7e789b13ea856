import type { Diagnostic } from "@quire/contracts";
import type { OpenedPdf } from "../read/open-pdf.ts";
import { PDFBool } from "../read/pdf-lib.ts";
import { arrayIn, dictIn, key } from "../read/pdf-objects.ts";
import { PdfProblem } from "../read/pdf-problem.ts";

/** Removes the XFA version of a form, which Adobe Reader would show instead of the ordinary fields. */
export function withoutXfa({ catalog }: OpenedPdf): Diagnostic[] {
  const form = dictIn(catalog, "AcroForm");
  const isDynamic = catalog.lookup(key("NeedsRendering")) === PDFBool.True;
  if (form === null || !form.has(key("XFA"))) return [];
  if (isDynamic || (arrayIn(form, "Fields")?.size() ?? 0) === 0) {
    throw new PdfProblem(
      "it is an XFA form, which only Adobe Reader shows. Recreate it as an ordinary PDF form (AcroForm)",
    );
  }
  form.delete(key("XFA"));
  return [
    {
      severity: "warning",
      code: "removed_xfa",
      message:
        "The XFA form was removed from the template: Quire fills the ordinary fields, and the scripts of the XFA form do not run.",
      hint: "Check that the pages are complete without it.",
    },
  ];
}
