import { QuireError } from "@quire/core/host";
import { commandLine, isDataName, isDocumentName } from "../terminal/command-line.ts";
import type { CommandIo } from "../terminal/io.ts";

/**
 * Throws `invalid_request` if the file names show that the template and the data are swapped, or that one of them is
 * the wrong kind of file. The message contains the correct command.
 */
export function refuseSwapped(io: CommandIo, template: string, data: string | undefined): void {
  const isData = isDataName(template);
  if (data !== undefined && isData && isDocumentName(data)) {
    const swap = new Map([
      [template, data],
      [data, template],
    ]);
    const right = commandLine(io.argv.map((arg) => swap.get(arg) ?? arg));
    throw new QuireError(
      "invalid_request",
      `The template and the data are swapped: ${JSON.stringify(template)} is a data file. Type \`${right}\`.`,
    );
  }
  if (isData) {
    const [command = "check"] = io.argv;
    const form =
      io.argv.includes("--data") || !TAKES_DATA.has(command) ? "" : ` --data ${template}`;
    throw new QuireError(
      "invalid_request",
      `${JSON.stringify(template)} is a data file, not a template. Name a template first, a .docx file or a PDF form: \`quire ${command} TEMPLATE.docx${form}\`.`,
    );
  }
  if (data !== undefined && isDocumentName(data)) {
    throw new QuireError(
      "invalid_request",
      `${JSON.stringify(data)} is a template, not data. Name a data file with --data: .json, .jsonl, .csv or .xlsx.`,
    );
  }
}

const TAKES_DATA = new Set(["render", "run", "check", "annotate"]);
