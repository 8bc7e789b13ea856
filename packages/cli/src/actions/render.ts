import { extname } from "node:path";
import {
  type Diagnostic,
  type PdfOptions,
  prepareImages,
  QuireError,
  type RenderData,
  type RenderResult,
  withMetadata,
} from "@quire/core";
import { readJson } from "../data/json.ts";
import { isObject } from "../entries/entry.ts";
import { refuseToReplace, replaceFile } from "../files/command-files.ts";
import { besideFile, type FileReader } from "../files/folder-files.ts";
import { assertForm, type LoadedTemplate, loadTemplate } from "../files/template.ts";
import type { PdfFlags } from "../options/pdf.ts";
import type { CompileFlags, PrintFlags } from "../options/print.ts";
import { EXIT } from "../terminal/exit.ts";
import { type CommandIo, writeLine } from "../terminal/io.ts";
import { describe } from "../terminal/print-error.ts";
import { assertNoPdfOptions, pdfOptions } from "./pdf-options.ts";
import { renderOptions } from "./print-options.ts";

/** The flags of `quire render`. */
export interface RenderFlags extends PrintFlags, CompileFlags, PdfFlags {
  readonly output: string;
  readonly soffice?: string;
  readonly deadline?: number;
  readonly flatten?: true;
}

/** Generates one document. Sets the exit code. */
export async function render(
  io: CommandIo,
  { template, data }: { readonly template: string; readonly data: string },
  options: RenderFlags,
): Promise<void> {
  const { output } = options;
  const type = extname(output).toLowerCase();
  if (type !== ".docx" && type !== ".pdf") {
    throw new QuireError(
      "invalid_request",
      `The output ${JSON.stringify(output)} must end in .docx or .pdf.`,
    );
  }
  await refuseToReplace(io, output, [template, data]);
  const pdf = await pdfOptions(io, options);
  if (type === ".docx") assertNoPdfOptions(pdf);
  const loaded = await loadTemplate(io, template, options);
  if (loaded.isForm) assertForm(type, pdf);
  else if (options.flatten) throw noForm();
  else if (type === ".pdf") {
    const { requireSoffice } = await import("../files/soffice.ts");
    await requireSoffice(io, options.soffice);
  }
  const input = await readObject(io, data);
  const rendered = await renderOne(loaded, input, { readFile: besideFile(io, data), options });
  const document =
    type === ".pdf"
      ? await toPdf(io, rendered.bytes, { isForm: loaded.isForm, options, pdf })
      : { ...rendered, warnings: [] };
  await replaceFile(io, output, document.bytes);
  // With `updateIndexes`, LibreOffice updates the indexes, so they are not stale in the PDF.
  const kept = pdf?.updateIndexes
    ? rendered.warnings.filter(({ code }) => code !== "stale_index")
    : rendered.warnings;
  const diagnostics = [...kept, ...document.warnings];
  for (const diagnostic of diagnostics)
    writeLine(io.stderr, `${diagnostic.severity}: ${describe(diagnostic)}`);
  writeLine(io.stdout, output);
  if (diagnostics.some(({ severity }) => severity === "error")) io.exitCode = EXIT.someErrors;
}

async function readObject(io: CommandIo, path: string): Promise<RenderData> {
  const data = await readJson(io, path);
  if (!isObject(data)) {
    throw new QuireError(
      "invalid_data",
      `The file ${JSON.stringify(path)} must contain one JSON object. For a list of objects, use quire run.`,
    );
  }
  return data;
}

async function renderOne(
  { template, isForm }: LoadedTemplate,
  data: RenderData,
  { readFile, options }: { readonly readFile: FileReader; readonly options: RenderFlags },
): Promise<RenderResult> {
  const print = renderOptions(options);
  if (isForm) return template.render(data, { ...print, flatten: options.flatten === true });
  const images = await prepareImages(data, { readFile });
  return template.render(data, { ...print, images });
}

function noForm(): QuireError {
  return new QuireError("invalid_request", "--flatten applies only to PDF forms. Remove it.");
}

async function toPdf(
  io: CommandIo,
  bytes: Uint8Array,
  {
    isForm,
    options,
    pdf,
  }: {
    readonly isForm: boolean;
    readonly options: RenderFlags;
    readonly pdf: PdfOptions | undefined;
  },
): Promise<{ readonly bytes: Uint8Array; readonly warnings: readonly Diagnostic[] }> {
  if (isForm) {
    const metadata = pdf?.metadata;
    const written = metadata === undefined ? bytes : await withMetadata(bytes, metadata);
    return { bytes: written, warnings: [] };
  }
  const { converterFor } = await import("../files/soffice.ts");
  const converter = converterFor(io, { ...options, pdf, concurrency: 1 });
  try {
    // The document was rendered here, so the limits for untrusted documents do not apply.
    return await converter.convert(bytes, { rendered: true });
  } finally {
    await converter.close();
  }
}
