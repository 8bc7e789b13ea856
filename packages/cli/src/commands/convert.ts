import type { Command } from "commander";
import type { ConvertFlags } from "../actions/convert.ts";
import { deadlineOption, sofficeOption } from "../options/office.ts";
import { withPdfOptions } from "../options/pdf.ts";
import type { CommandIo } from "../terminal/io.ts";

/** `quire convert`: converts Word documents to PDF without filling them. */
export function defineConvert(command: Command, io: CommandIo): void {
  command
    .argument("<files...>", "the .docx files to convert")
    .option(
      "-o, --output <file>",
      "the .pdf file to write, for one document; replaces an existing file",
    )
    .option(
      "--out <folder>",
      "the folder for the PDFs, which are named after the documents; replaces existing files",
    )
    .addOption(sofficeOption())
    .addOption(deadlineOption());
  withPdfOptions(command).action(async (files: string[], flags: ConvertFlags) => {
    const { convert } = await import("../actions/convert.ts");
    await convert(io, files, flags);
  });
}
