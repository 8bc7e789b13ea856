import type { Command } from "commander";
import type { TypesOptions } from "../actions/types.ts";
import { delimitersOption } from "../options/print.ts";
import type { CommandIo } from "../terminal/io.ts";

/** `quire types`: prints TypeScript types of the data. */
export function defineTypes(command: Command, io: CommandIo): void {
  command
    .argument("<template>", "the template: a .docx file, or a .pdf file with form fields")
    .option(
      "-o, --output <file>",
      "the file to write; replaces an existing file (default: standard output)",
    )
    .option("--name <name>", "the name of the outermost type (default: TemplateData)")
    .addOption(delimitersOption())
    .action(async (path: string, options: TypesOptions) => {
      const { types } = await import("../actions/types.ts");
      await types(io, path, options);
    });
}
