import { type Command, Option } from "commander";

/** The command line options about what a command prints. */
export interface VerbosityFlags {
  readonly quiet?: true;
  readonly verbose?: true;
}

/** Adds the options of {@link VerbosityFlags} to a command. */
export function withVerbosityOptions(command: Command): Command {
  return command
    .addOption(new Option("-q, --quiet", "print only problems").conflicts("verbose"))
    .option("-v, --verbose", "print a line for each document");
}
