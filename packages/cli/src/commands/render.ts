import { Option } from "commander";
import type { RenderFlags } from "../actions/render.ts";
import { deadlineOption, sofficeOption } from "../options/office.ts";
import { withPdfOptions } from "../options/pdf.ts";
import { delimitersOption, withPrintOptions } from "../options/print.ts";
import type { CommandIo } from "../terminal/io.ts";
import { type QuireCommand, withExamples } from "./command.ts";

/** `quire render`: generates one document. */
export function defineRender(command: QuireCommand, io: CommandIo): void {
  command
    .argument("<template>", "the template: a .docx file, or a .pdf file with form fields")
    .addOptionOrArgument(
      new Option("--data <file>", "the data: a .json file with one object; - is standard input"),
    )
    .requiredOption(
      "-o, --out <file>",
      "the .docx or .pdf file to write; replaces an existing file",
    )
    .option("--flatten", "for a PDF form: turn its fields into plain content");
  withPdfOptions(withPrintOptions(command))
    .addOption(delimitersOption())
    .addOption(sofficeOption())
    .addOption(deadlineOption())
    .action(async (template: string, options: RenderFlags) => {
      const { render } = await import("../actions/render.ts");
      await render(io, template, options);
    });
  withExamples(command, [
    "quire render letter.docx --data letter.json --out hello.pdf",
    "quire render registration.pdf --data registration.json --out flat.pdf --flatten",
  ]);
}
