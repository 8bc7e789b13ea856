import type { Command } from "commander";
import type { VerifyOptions } from "../actions/verify.ts";
import type { CommandIo } from "../terminal/io.ts";
import { withExamples } from "./command.ts";

/** `quire verify`: checks whether the documents of a run are unchanged. */
export function defineVerify(command: Command, io: CommandIo): void {
  command
    .argument(
      "<journals...>",
      "the journal of the run, for example out.quire.db, or the journals of all its shards",
    )
    .option(
      "-o, --out <folder>",
      "the folder with the documents (default: the output folder of the run)",
    )
    .option(
      "--json",
      "print one JSON object per line: each problem with a document, then a summary",
    )
    .addHelpText(
      "after",
      "\nExit codes: 0 no document is missing or changed and the run is finished, 2 otherwise, 1 the run could not be verified.",
    )
    .action(async (paths: string[], options: VerifyOptions) => {
      const { verify } = await import("../actions/verify.ts");
      await verify(io, paths, options);
    });
  withExamples(command, ["quire verify letters.quire.db", "quire verify letters.quire.db --json"]);
}
