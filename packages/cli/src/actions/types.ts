import type { Command } from "commander";
import type { CommandIo } from "../io.ts";
import { type CompileFlags, delimitersOption } from "../options/print.ts";
import { deliver } from "../output.ts";
import { loadTemplate } from "../template.ts";

interface TypesOptions extends CompileFlags {
  readonly output?: string;
  readonly name?: string;
}

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
      const { template } = await loadTemplate(io, path, options);
      await deliver(io, template.types(options.name), { ...options, input: path });
    });
}
