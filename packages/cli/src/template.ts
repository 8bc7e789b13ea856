import {
  compilePdfForm,
  compileTemplate,
  isPdf,
  type PdfOptions,
  QuireError,
  type Template,
} from "@quire/core";
import { readInput } from "./files.ts";
import { besideFile } from "./folder-files.ts";
import type { Io } from "./io.ts";
import type { CompileFlags } from "./print-options.ts";

/** A template of a file, compiled. */
export interface LoadedTemplate {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly template: Template;
  /** Whether it is a PDF with form fields: its documents are PDF as they are. */
  readonly isForm: boolean;
  /** The templates that it includes, by the names it gives them: files of its folder or below. */
  readonly included: ReadonlyMap<string, Uint8Array>;
}

/** Reads and compiles a template: a Word file or a PDF form. Rejects what compiling does, and `not_found`. */
export async function loadTemplate(
  io: Pick<Io, "cwd">,
  path: string,
  { delimiters }: CompileFlags,
): Promise<LoadedTemplate> {
  const bytes = await readInput(io, path);
  const included = new Map<string, Uint8Array>();
  if (isPdf(bytes)) {
    return { path, bytes, template: await compilePdfForm(bytes), isForm: true, included };
  }
  const read = besideFile(io, path);
  const template = await compileTemplate(bytes, {
    delimiters,
    readTemplate: async (name) => {
      const content = await read(name);
      included.set(name, content);
      return content;
    },
  });
  return { path, bytes, template, isForm: false, included };
}

/**
 * Throws `invalid_request` for what cannot be made of a PDF form: another kind of document, or a PDF with
 * options that only a converter can follow.
 */
export function assertForm(type: string, pdf: PdfOptions | undefined): void {
  if (type !== ".pdf") {
    throw new QuireError(
      "invalid_request",
      "The template is a PDF form, which cannot become a .docx. Make a .pdf instead.",
    );
  }
  const { metadata: _, ...others } = pdf ?? {};
  if (Object.values(others).every((value) => value === undefined)) return;
  throw new QuireError(
    "invalid_request",
    "The template is a PDF form, which is filled without a conversion. Of the options for PDFs, only the metadata options apply. Remove the others.",
  );
}
