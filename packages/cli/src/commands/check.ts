import type { Command } from "commander";
import type { CheckOptions } from "../actions/check.ts";
import { withDataOptions } from "../options/data.ts";
import { delimitersOption, withPrintOptions } from "../options/print.ts";
import type { CommandIo } from "../terminal/io.ts";
import { withExamples } from "./command.ts";

/** `quire check`: reports all problems of a template and its data without generating documents. */
export function defineCheck(command: Command, io: CommandIo): void {
  command
    .argument("<template>", "the template: a .docx file, or a .pdf file with form fields")
    .option(
      "--data <file>",
      "the data file: .json, .jsonl, .csv or .xlsx, all but .json streamed; - is standard input",
    )
    .option("--name <pattern>", "the file name pattern of the run, to check the names as well")
    .option("--strict", "also exit with code 2 for warnings")
    .option("--json", "print one JSON object per line: each problem, then a summary");
  withPrintOptions(withDataOptions(command))
    .addOption(delimitersOption())
    .addHelpText("after", "\nExit codes: 0 no errors, 2 errors, 1 the files could not be checked.")
    .action(async (path: string, options: CheckOptions) => {
      const { check } = await import("../actions/check.ts");
      await check(io, path, options);
    });
  withExamples(command, ["quire check letter.docx", "quire check letter.docx --data letters.csv"]);
}
