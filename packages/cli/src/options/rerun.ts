import { type Command, Option } from "commander";
import { seconds } from "./office.ts";

/** The command line options for running the same command again. */
export interface RerunFlags {
  readonly journal?: string;
  readonly overwrite?: true;
  readonly onlyMissing?: true;
  readonly new?: true;
  /** The maximum length of a pause, in seconds. */
  readonly giveUpAfter?: number;
}

/** Adds the options of {@link RerunFlags} to a command. */
export function withRerunOptions(command: Command): Command {
  return command
    .option("--journal <file>", "the file with the run's progress (default: <folder>.quire.db)")
    .addOption(
      new Option(
        "--overwrite",
        "after a correction: replace documents of earlier runs whose data, template or options have changed, but none that somebody has edited",
      ).conflicts(["onlyMissing", "new"]),
    )
    .addOption(
      new Option(
        "--only-missing",
        "make only the documents that do not exist, and keep all others",
      ).conflicts("new"),
    )
    .option(
      "--new",
      "start over: cancel unfinished jobs and make all documents again, except documents that somebody has edited",
    )
    .addOption(
      new Option(
        "--give-up-after <seconds>",
        "end the run with exit code 75 after a pause of this length because a disk, a bucket or LibreOffice does not work (default: wait)",
      ).argParser(seconds),
    );
}
