import type { Command } from "commander";
import type { SampleOptions } from "../actions/sample.ts";
import { delimitersOption } from "../options/print.ts";
import type { CommandIo } from "../terminal/io.ts";
import { withExamples } from "./command.ts";

/** `quire sample`: prints sample data for a template. */
export function defineSample(command: Command, io: CommandIo): void {
  command
    .argument("<template>", "the template: a .docx file, or a .pdf file with form fields")
    .option(
      "-o, --out <file>",
      "the file to write; replaces an existing file (default: standard output)",
    )
    .addOption(delimitersOption())
    .action(async (path: string, options: SampleOptions) => {
      const { sample } = await import("../actions/sample.ts");
      await sample(io, path, options);
    });
  withExamples(command, [
    "quire sample invoice.docx",
    "quire sample invoice.docx --out sample.json",
  ]);
}
