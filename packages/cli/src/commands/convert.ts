import type { Command } from "commander";
import type { ConvertFlags } from "../actions/convert.ts";
import { deadlineOption, sofficeOption } from "../options/office.ts";
import { withPdfOptions } from "../options/pdf.ts";
import type { CommandIo } from "../terminal/io.ts";
import { withExamples } from "./command.ts";

/** `quire convert`: converts Word documents to PDF without filling them. */
export function defineConvert(command: Command, io: CommandIo): void {
  command
    .argument("<files...>", "the .docx files to convert")
    .requiredOption(
      "-o, --out <path>",
      "the .pdf file to write (for one document only), or a folder for PDFs that are named after the documents; replaces existing files",
    )
    .addOption(sofficeOption())
    .addOption(deadlineOption());
  withPdfOptions(command).action(async (files: string[], flags: ConvertFlags) => {
    const { convert } = await import("../actions/convert.ts");
    await convert(io, files, flags);
  });
  withExamples(command, [
    "quire convert letter.docx --out letter.pdf",
    "quire convert letter.docx invoice.docx --out pdfs --pdfa 2b",
  ]);
}
