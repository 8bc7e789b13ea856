import { type Command, InvalidArgumentError, Option } from "commander";
import type { EntrySelection } from "../entries/choose-entries.ts";
import { EntryRanges, RangesError } from "../entries/entry-ranges.ts";

/** The command line options for choosing entries of a data file. */
export type SelectionFlags = EntrySelection;

/** Adds the options of {@link SelectionFlags} to a command. */
export function withSelectionOptions(command: Command): Command {
  const options = [
    new Option(
      "--entries <list>",
      "use only these entries, by their numbers in the data file, for example 5,9-20 or 100-",
    ).argParser(rangesOf),
    new Option(
      "--where <condition>",
      "use only entries for which this condition is true, as in {{if …}}, for example 'region == \"North\"'",
    ),
    new Option("--limit <n>", "use only the first n of the chosen entries").argParser(limitOf),
  ];
  // --new removes the documents of the other entries.
  for (const option of options) command.addOption(option.conflicts("new"));
  return command;
}

function rangesOf(value: string): EntryRanges {
  try {
    return EntryRanges.parse(value);
  } catch (error) {
    if (error instanceof RangesError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

function limitOf(value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= 1 && Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError("It must be a whole number of at least 1.");
}
