import {
  compilePdfForm,
  compileTemplate,
  isPdf,
  isQuireError,
  type PdfOptions,
  QuireError,
  type Template,
} from "@quire/core";
import type { CompileFlags } from "../options/print.ts";
import { isDocumentName } from "../terminal/command-line.ts";
import type { Io } from "../terminal/io.ts";
import { readInput } from "./command-files.ts";
import { withName } from "./file-problems.ts";
import { besideFile } from "./folder-files.ts";

/** A compiled template and its file. */
export interface LoadedTemplate {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly template: Template;
  /** Whether the template is a PDF with form fields. Its documents are PDFs and need no conversion. */
  readonly isForm: boolean;
  /** The included templates by name: files in the template's folder or below. */
  readonly included: ReadonlyMap<string, Uint8Array>;
}

/** Reads and compiles a template: a Word file or a PDF form. Rejects `not_found` and the errors of compiling. */
export async function loadTemplate(
  io: Pick<Io, "cwd">,
  path: string,
  { delimiters }: CompileFlags,
): Promise<LoadedTemplate> {
  const bytes = await readInput(io, path, isDocumentName);
  return compileNamed(io, path, { bytes, delimiters }).catch((error: unknown) => {
    throw isQuireError(error) ? withName(error, path) : error;
  });
}

async function compileNamed(
  io: Pick<Io, "cwd">,
  path: string,
  { bytes, delimiters }: { readonly bytes: Uint8Array } & CompileFlags,
): Promise<LoadedTemplate> {
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
 * Throws `invalid_request` for output that a PDF form does not support: another type of document, or options that need
 * a converter.
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
