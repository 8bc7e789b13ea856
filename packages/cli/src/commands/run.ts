import { type Command, InvalidArgumentError, Option } from "commander";
import type { RunOptions } from "../actions/run.ts";
import { withDataOptions } from "../options/data.ts";
import { deadlineOption, sofficeOption } from "../options/office.ts";
import { withPacketOptions } from "../options/packet.ts";
import { withPdfOptions } from "../options/pdf.ts";
import { delimitersOption, withPrintOptions } from "../options/print.ts";
import { withRerunOptions } from "../options/rerun.ts";
import { withSelectionOptions } from "../options/selection.ts";
import { withShardOption } from "../options/shard.ts";
import { withVerbosityOptions } from "../options/verbosity.ts";
import type { CommandIo } from "../terminal/io.ts";
import { withExamples } from "./command.ts";

/** With `--to pdf`, each concurrent document needs a LibreOffice process. No machine needs more processes than this. */
const MAX_CONCURRENCY = 256;

/** `quire run`: generates a batch of documents from local files. */
export function defineRun(command: Command, io: CommandIo): void {
  withRunOptions(command).action(async (template: string, options: RunOptions) => {
    const { run } = await import("../actions/run.ts");
    await run(io, template, options);
  });
  withExamples(command, [
    "quire run letter.docx --data letters.csv --to docx --out letters --name '{{customer.number}}'",
    "quire run letter.docx --data letters.csv --to pdf --out pdfs --packet all.pdf",
  ]);
}

function withRunOptions(command: Command): Command {
  command
    .argument("<template>", "the template: a .docx file, or a .pdf file with form fields")
    .requiredOption(
      "--data <file>",
      "the data file: .json, .jsonl, .csv or .xlsx, all but .json streamed; - is standard input",
    )
    .addOption(
      new Option("--to <type>", "the type of the documents")
        .choices(["docx", "pdf"])
        .makeOptionMandatory(),
    )
    .requiredOption(
      "-o, --out <folder>",
      "the folder for the documents, created if missing, or s3://BUCKET/PREFIX",
    )
    .addOption(
      new Option(
        "--check <policy>",
        "entries with errors: warn and continue, or abort before making documents",
      )
        .choices(["warn", "strict"])
        .default("warn"),
    )
    .option("--no-check", "do not check the entries before making documents")
    .option(
      "--dry-run",
      "make all documents, but write nothing: print their names, sizes and problems",
    )
    .option("--name <pattern>", "the file name pattern, for example '{{customer.id}}-{{date}}'")
    .option(
      "--concurrency <n>",
      "how many documents to make at once, and how many LibreOffice processes (default: by CPU cores)",
      concurrency,
    )
    .addOption(
      new Option(
        "--on-conflict <policy>",
        "if a file name is taken: fail the entry, or rename its document",
      )
        .choices(["fail", "rename"])
        .default("fail"),
    );
  withRerunOptions(withVerbosityOptions(withShardOption(withSelectionOptions(command))));
  withPacketOptions(withDataOptions(command));
  return withPdfOptions(withPrintOptions(command))
    .addOption(
      new Option(
        "--compression <kind>",
        "for .docx: small, fast (about 25% larger), or template (fastest for many entries)",
      )
        .choices(["small", "fast", "template"])
        .default("small"),
    )
    .option("--flatten", "for a PDF form: turn its fields into plain content")
    .addOption(delimitersOption())
    .addOption(sofficeOption())
    .addOption(deadlineOption());
}

function concurrency(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || number > MAX_CONCURRENCY) {
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_CONCURRENCY}.`);
  }
  return number;
}
