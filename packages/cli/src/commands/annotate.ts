import type { Command } from "commander";
import type { AnnotateOptions } from "../actions/annotate.ts";
import { withDataOptions } from "../options/data.ts";
import { delimitersOption, withPrintOptions } from "../options/print.ts";
import type { CommandIo } from "../terminal/io.ts";
import { withExamples } from "./command.ts";

/** `quire annotate`: writes problems as Word comments. */
export function defineAnnotate(command: Command, io: CommandIo): void {
  command
    .argument("<template>", "the template, a .docx file")
    .option(
      "--data <file>",
      "also report the problems of its entries: .json, .jsonl, .csv or .xlsx",
    )
    .option(
      "-o, --out <file>",
      "the .docx file to write; replaces an existing file (default: TEMPLATE.review.docx, which is never replaced)",
    );
  withPrintOptions(withDataOptions(command))
    .addOption(delimitersOption())
    .action(async (path: string, options: AnnotateOptions) => {
      const { annotate } = await import("../actions/annotate.ts");
      await annotate(io, path, options);
    });
  withExamples(command, [
    "quire annotate letter.docx",
    "quire annotate letter.docx --data letters.csv --out review.docx",
  ]);
}
