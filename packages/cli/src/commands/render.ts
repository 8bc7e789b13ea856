import { extname } from "node:path";
import { type Diagnostic, prepareImages, QuireError, type RenderData } from "@quire/core";
import { Command } from "commander";
import { isObject } from "../data/entry.ts";
import { readJson } from "../data/json.ts";
import { EXIT } from "../exit.ts";
import { refuseToReplace, replaceFile } from "../files.ts";
import { besideFile } from "../folder-files.ts";
import {
  type CompileFlags,
  delimitersOption,
  type PrintFlags,
  renderOptions,
  withPrintOptions,
} from "../print-options.ts";
import { converterFor, requireSoffice, sofficeOption } from "../soffice.ts";
import { loadTemplate } from "../template.ts";
import { describe } from "../terminal/problems.ts";

interface RenderFlags extends PrintFlags, CompileFlags {
  readonly output: string;
  readonly soffice?: string;
}

/** `quire render`: one document. */
export function renderCommand(): Command {
  const command = new Command("render")
    .description("Make one document from a template and a JSON file.")
    .argument("<template>", "the template, a .docx file")
    .argument("<data>", "the data, a .json file that holds one object")
    .requiredOption(
      "-o, --output <file>",
      "the document to write: .docx or .pdf; replaces what is there",
    );
  return withPrintOptions(command)
    .addOption(delimitersOption())
    .addOption(sofficeOption())
    .action(render);
}

async function render(template: string, data: string, options: RenderFlags): Promise<void> {
  const { output } = options;
  const type = extname(output).toLowerCase();
  if (type !== ".docx" && type !== ".pdf") {
    throw new QuireError(
      "invalid_request",
      `The output ${JSON.stringify(output)} must end in .docx or .pdf.`,
    );
  }
  await refuseToReplace(output, [template, data]);
  if (type === ".pdf") await requireSoffice(options.soffice);
  const compiled = (await loadTemplate(template, options)).template;
  const input = await readObject(data);
  const images = await prepareImages(input, { readFile: besideFile(data) });
  const rendered = compiled.render(input, { ...renderOptions(options), images });
  const document =
    type === ".pdf" ? await toPdf(rendered.bytes, options) : { ...rendered, warnings: [] };
  await replaceFile(output, document.bytes);
  const findings = [...rendered.warnings, ...document.warnings];
  for (const finding of findings) console.error(`${finding.severity}: ${describe(finding)}`);
  console.log(output);
  if (findings.some(({ severity }) => severity === "error")) process.exitCode = EXIT.someErrors;
}

async function readObject(path: string): Promise<RenderData> {
  const data = await readJson(path);
  if (!isObject(data)) {
    throw new QuireError(
      "invalid_data",
      `The file ${JSON.stringify(path)} must hold one JSON object. For a list of them use quire run.`,
    );
  }
  return data;
}

async function toPdf(
  bytes: Uint8Array,
  options: RenderFlags,
): Promise<{ readonly bytes: Uint8Array; readonly warnings: readonly Diagnostic[] }> {
  const converter = converterFor({ ...options, concurrency: 1 });
  try {
    return await converter.convert(bytes);
  } finally {
    await converter.close();
  }
}
