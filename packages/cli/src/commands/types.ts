import type { Command } from "commander";
import type { TypesOptions } from "../actions/types.ts";
import { delimitersOption } from "../options/print.ts";
import type { CommandIo } from "../terminal/io.ts";
import { withExamples } from "./command.ts";

/** `quire types`: prints TypeScript types of the data. */
export function defineTypes(command: Command, io: CommandIo): void {
  command
    .argument("<template>", "the template: a .docx file, or a .pdf file with form fields")
    .option(
      "-o, --out <file>",
      "the file to write; replaces an existing file (default: standard output)",
    )
    .option("--name <name>", "the name of the outermost type (default: TemplateData)")
    .addOption(delimitersOption())
    .action(async (path: string, options: TypesOptions) => {
      const { types } = await import("../actions/types.ts");
      await types(io, path, options);
    });
  withExamples(command, [
    "quire types invoice.docx",
    "quire types invoice.docx --name Invoice --out invoice.ts",
  ]);
}
