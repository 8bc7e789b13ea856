import { existsSync } from "node:fs";
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
import { badOutput, refuseToReplace, replaceFile, stem } from "../files/command-files.ts";
import { STANDARD_INPUT, withDataFile } from "../files/data-file.ts";
import { besideFile, type FileReader } from "../files/folder-files.ts";
import { noTags } from "../files/no-tags.ts";
import { type SvgFonts, svgFontsIn } from "../files/svg-fonts.ts";
import { refuseSwapped } from "../files/swapped.ts";
import { assertForm, type LoadedTemplate, loadTemplate } from "../files/template.ts";
import type { PdfFlags } from "../options/pdf.ts";
import type { CompileFlags, PrintFlags } from "../options/print.ts";
import { commandLine, isDataName } from "../terminal/command-line.ts";
import { EXIT } from "../terminal/exit.ts";
import { type CommandIo, pathIn, writeLine } from "../terminal/io.ts";
import { describe } from "../terminal/print-error.ts";
import { assertNoPdfOptions, pdfOptions } from "./pdf-options.ts";
import { renderOptions } from "./print-options.ts";

/** The flags of `quire render`. */
export interface RenderFlags extends PrintFlags, CompileFlags, PdfFlags {
  readonly data: string;
  readonly out: string;
  readonly soffice?: string;
  readonly deadline?: number;
  readonly flatten?: true;
}

/** Generates one document. Sets the exit code. */
export async function render(io: CommandIo, template: string, options: RenderFlags): Promise<void> {
  const { data, out: output } = options;
  refuseSwapped(io, template, data);
  const type = extname(output).toLowerCase();
  if (type !== ".docx" && type !== ".pdf") throw badOutput(io, output, [".docx", ".pdf"]);
  refuseTable(io, template, data);
  await refuseToReplace(io, output, [template, data]);
  const pdf = await pdfOptions(io, options);
  if (type === ".docx") assertNoPdfOptions(pdf, `--out ${stem(output)}.pdf`);
  const loaded = await loadTemplate(io, template, options);
  if (loaded.isForm) assertForm(type, pdf);
  else if (options.flatten) throw noForm();
  else if (type === ".pdf") {
    const { requireSoffice } = await import("../files/soffice.ts");
    await requireSoffice(io, options.soffice);
  }
  const fonts = await svgFontsIn(io, options.svgFonts);
  const input = await withDataFile(io, { data, dataFormat: "json" }, (path) =>
    readObject(io, path, { template, data }),
  );
  const readFile = besideFile(io, data);
  const rendered = await renderOne(loaded, input, { readFile, fonts, options });
  const document =
    type === ".pdf"
      ? await toPdf(io, rendered.bytes, { isForm: loaded.isForm, options, pdf })
      : { ...rendered, warnings: [] };
  await replaceFile(io, output, document.bytes);
  // With `updateIndexes`, LibreOffice updates the indexes, so they are not stale in the PDF.
  const kept = pdf?.updateIndexes
    ? rendered.warnings.filter(({ code }) => code !== "stale_index")
    : rendered.warnings;
  const untagged = noTags(loaded, options);
  const diagnostics = [...kept, ...document.warnings, ...(untagged === null ? [] : [untagged])];
  for (const diagnostic of diagnostics)
    writeLine(io.stderr, `${diagnostic.severity}: ${describe(diagnostic)}`);
  writeLine(io.stdout, output);
  if (diagnostics.some(({ severity }) => severity === "error")) io.exitCode = EXIT.someErrors;
}

/** Reads the data. `path` is a copy of the data file if the command names a pipe. */
async function readObject(
  io: CommandIo,
  path: string,
  { template, data }: { readonly template: string; readonly data: string },
): Promise<RenderData> {
  const object = await readJson(io, path);
  if (isObject(object)) return object;
  if (Array.isArray(object)) {
    throw manyEntries(template, data, "is a list of entries", ` ${WHOLE_LIST}`);
  }
  throw new QuireError(
    "invalid_data",
    `The file ${JSON.stringify(data)} must contain one JSON object, for example {"name": "Ann"}.`,
  );
}

/** Throws `invalid_data` for a type of data file that contains many entries. */
function refuseTable(io: CommandIo, template: string, data: string): void {
  if (isDataName(data) && extname(data).toLowerCase() !== ".json" && existsSync(pathIn(io, data))) {
    throw manyEntries(template, data, "has one entry in each row or line");
  }
}

/** How to print a whole list in one document. */
const WHOLE_LIST =
  'For one document with the whole list, name the list in the file, as in {"items": [ … ]}, and repeat it with {{for item in items}}.';

function manyEntries(template: string, data: string, why: string, more = ""): QuireError {
  const [format, folder] =
    data === STANDARD_INPUT ? [["--data-format", "json"], "documents"] : [[], stem(data)];
  const source = ["--data", data, ...format];
  const right = commandLine(["run", template, ...source, "--to", "docx", "--out", folder]);
  return new QuireError(
    "invalid_data",
    `quire render makes one document, but ${JSON.stringify(data)} ${why}. Make a document for each: \`${right}\`.${more}`,
  );
}

async function renderOne(
  { template, isForm }: LoadedTemplate,
  data: RenderData,
  {
    readFile,
    fonts,
    options,
  }: {
    readonly readFile: FileReader;
    readonly fonts: SvgFonts | undefined;
    readonly options: RenderFlags;
  },
): Promise<RenderResult> {
  const print = renderOptions(options);
  if (isForm) return template.render(data, { ...print, flatten: options.flatten === true });
  const images = await prepareImages(data, { readFile, ...(fonts && { fonts }) });
  return template.render(data, { ...print, images });
}

function noForm(): QuireError {
  return new QuireError(
    "invalid_request",
    "--flatten applies only to PDF forms, but the template is a Word file. Remove --flatten.",
  );
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
