import { type Command, InvalidArgumentError, Option } from "commander";
import { type ColumnTypes, parseTypes, TypesError } from "../entries/column-types.ts";
import { knownEncoding } from "../entries/known-encoding.ts";
import { localeProblem } from "../entries/locale-problem.ts";

/** The command line options for reading a table of entries. */
export interface DataFlags {
  /** The format of the data, an extension without its dot. Default: the extension of the file. */
  readonly dataFormat?: string;
  readonly types?: ColumnTypes;
  readonly dataLocale?: string;
  /** The encoding, under the name that `TextDecoder` uses. */
  readonly encoding?: string;
  /** The name of a sheet. */
  readonly sheet?: string;
}

/** Adds the options of {@link DataFlags} to a command. */
export function withDataOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--data-format <format>",
        "the format of the data, for standard input (--data -) and for files with another extension",
      ).choices(["json", "jsonl", "csv", "xlsx"]),
    )
    .addOption(
      new Option(
        "--types <list>",
        "for .csv and .xlsx: the types of columns, for example 'married:boolean,net:number(de),born:date(dd.MM.yyyy),code:text'; text alone reads all other columns as text (default: the types that the template needs)",
      ).argParser(typesOf),
    )
    .addOption(
      new Option(
        "--data-locale <tag>",
        "for .csv and .xlsx: the language and region of numbers and dates, for example de (default: 1234.50, 2026-11-20)",
      ).argParser(localeOf),
    )
    .addOption(
      new Option(
        "--encoding <name>",
        "for .csv without a byte order mark: the encoding, for example windows-1252 (default: utf-8)",
      ).argParser(encodingOf),
    )
    .option("--sheet <name>", "for .xlsx: the sheet (default: the first visible sheet)");
}

function typesOf(value: string, before: ColumnTypes | undefined): ColumnTypes {
  try {
    return parseTypes(value, before);
  } catch (error) {
    if (error instanceof TypesError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

function localeOf(value: string): string {
  const problem = localeProblem(value);
  if (problem !== null) throw new InvalidArgumentError(`It ${problem}.`);
  return value;
}

function encodingOf(value: string): string {
  const encoding = knownEncoding(value);
  if (encoding !== null) return encoding;
  throw new InvalidArgumentError(
    "The encoding is unknown. Examples are utf-8, windows-1252, windows-1250, iso-8859-1, iso-8859-15 and utf-16le.",
  );
}
