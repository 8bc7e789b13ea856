import type { Command } from "commander";
import type { ReportOptions } from "../actions/report.ts";
import type { CommandIo } from "../terminal/io.ts";
import { withExamples } from "./command.ts";

/** `quire report`: prints the results of the entries of a run. */
export function defineReport(command: Command, io: CommandIo): void {
  command
    .argument(
      "<journals...>",
      "the journal of the run, for example out.quire.db, or the journals of all its shards",
    )
    .option("--failed", "print the failed entries as JSON lines, to correct and run again")
    .option("--json", "print one line of JSON for each entry: its document, or why it has none")
    .action(async (paths: string[], options: ReportOptions) => {
      const { report } = await import("../actions/report.ts");
      await report(io, paths, options);
    });
  withExamples(command, [
    "quire report letters.quire.db",
    "quire report letters.quire.db --failed",
  ]);
}
