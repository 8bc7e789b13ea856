import type { Command } from "commander";
import type { CommandIo } from "../io.ts";
import { type CompileFlags, delimitersOption } from "../options/print.ts";
import { deliver } from "../output.ts";
import { loadTemplate } from "../template.ts";

interface SampleOptions extends CompileFlags {
  readonly output?: string;
}

/** `quire sample`: prints sample data for a template. */
export function defineSample(command: Command, io: CommandIo): void {
  command
    .argument("<template>", "the template: a .docx file, or a .pdf file with form fields")
    .option(
      "-o, --output <file>",
      "the file to write; replaces an existing file (default: standard output)",
    )
    .addOption(delimitersOption())
    .action(async (path: string, options: SampleOptions) => {
      const { template } = await loadTemplate(io, path, options);
      await deliver(io, JSON.stringify(template.sample(), null, 2), { ...options, input: path });
    });
}
