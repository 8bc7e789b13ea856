import type { CompileOptions } from "@quire/docx/internal/compile-options";
import { compileTemplate, type Template } from "@quire/docx/internal/compile-template";
import { compilePdfForm } from "@quire/pdf/internal/form/form-template";
import { isPdf } from "@quire/pdf/internal/read/is-pdf";

/** Compiles a template: either a Word file, or a PDF with form fields, which ignores the options. */
export function openTemplate(
  bytes: Uint8Array,
  { delimiters, readTemplate, limits }: CompileOptions = {},
): Promise<Template> {
  if (isPdf(bytes)) return compilePdfForm(bytes);
  return compileTemplate(bytes, { delimiters, readTemplate, limits });
}
