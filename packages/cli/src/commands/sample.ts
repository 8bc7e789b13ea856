import { Command } from "commander";
import { deliver } from "../output.ts";
import { type CompileFlags, delimitersOption } from "../print-options.ts";
import { processIo as io } from "../process-io.ts";
import { loadTemplate } from "../template.ts";

interface SampleOptions extends CompileFlags {
  readonly output?: string;
}

/** `quire sample`: data to begin with. */
export function sampleCommand(): Command {
  return new Command("sample")
    .description("Write sample data that fills a template.")
    .argument("<template>", "the template: a .docx file, or a .pdf file with form fields")
    .option("-o, --output <file>", "the file to write, replaced when it is there (default: print)")
    .addOption(delimitersOption())
    .action(async (path: string, options: SampleOptions) => {
      const { template } = await loadTemplate(io, path, options);
      await deliver(io, JSON.stringify(template.sample(), null, 2), { ...options, input: path });
    });
}
