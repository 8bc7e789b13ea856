import { type Command, Option } from "commander";
import type { MergeOptions } from "../actions/merge.ts";
import { duplexOption } from "../options/packet.ts";
import type { CommandIo } from "../terminal/io.ts";
import { withExamples } from "./command.ts";

/** `quire merge`: merges several PDFs into one. */
export function defineMerge(command: Command, io: CommandIo): void {
  command
    .argument("<files...>", "the PDFs to merge, in this order")
    .requiredOption("-o, --out <file>", "the .pdf file to write; replaces an existing file")
    .option("--title <text>", "the title of the PDF")
    .addOption(
      new Option(
        "--name-from <what>",
        "the bookmarks: the names of the files, or the titles of the PDFs",
      )
        .choices(["file", "title"])
        .default("file"),
    )
    .addOption(duplexOption())
    .option(
      "--keep-going",
      "skip files that cannot be merged (default: write nothing if there is such a file)",
    )
    .option("--json", "print one JSON object per line: the pages of each file, then a summary")
    .action(async (files: string[], options: MergeOptions) => {
      const { merge } = await import("../actions/merge.ts");
      await merge(io, files, options);
    });
  withExamples(command, [
    "quire merge letter.pdf registration.pdf --out both.pdf",
    "quire merge pdfs/letter.pdf pdfs/invoice.pdf --out both.pdf --title 'All papers'",
  ]);
}
