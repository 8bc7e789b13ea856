import type { CompileOptions } from "../docx/compile-options.ts";
import { compileTemplate, type Template } from "../docx/compile-template.ts";
import { compilePdfForm } from "../pdf/form-template.ts";
import { isPdf } from "../pdf/is-pdf.ts";

/** Compiles a template of either kind: a Word file, or a PDF with form fields, which ignores the options. */
export function openTemplate(bytes: Uint8Array, options?: CompileOptions): Promise<Template> {
  return isPdf(bytes) ? compilePdfForm(bytes) : compileTemplate(bytes, options);
}
