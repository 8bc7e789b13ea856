import { QuireError } from "@quire/core";
import { type Command, InvalidArgumentError, Option } from "commander";
import { knownEncoding } from "./csv/decode.ts";
import { type ColumnTypes, parseTypes, TypesError } from "./types/column-types.ts";
import { localeProblem } from "./types/notation.ts";

/** The command line options for reading a table of entries. */
export interface DataFlags {
  readonly types?: ColumnTypes;
  readonly dataLocale?: string;
  /** The name in the spelling of `TextDecoder`. */
  readonly encoding?: string;
  /** The name of a sheet. */
  readonly sheet?: string;
}

/** Adds the options of {@link DataFlags} to a command. */
export function withDataOptions(command: Command): Command {
  return command
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
    "The encoding is unknown. Examples are windows-1252, windows-1250, iso-8859-15 and utf-16le.",
  );
}

/** The options that change the data of a file, for the key of a run. Undefined without options. */
export function dataKey({ types, dataLocale, encoding, sheet }: DataFlags): object | undefined {
  const all = { types: types?.source, dataLocale, encoding, sheet };
  return Object.values(all).every((value) => value === undefined) ? undefined : all;
}

/** The names of the options, and the types of their files. */
const OPTIONS: Readonly<Record<keyof DataFlags, { readonly name: string; readonly of: string }>> = {
  types: { name: "--types", of: ".csv and .xlsx" },
  dataLocale: { name: "--data-locale", of: ".csv and .xlsx" },
  encoding: { name: "--encoding", of: ".csv" },
  sheet: { name: "--sheet", of: ".xlsx" },
};

/** Throws `invalid_request` for an option that does not apply to this type of file. */
export function assertDataOptions(
  flags: DataFlags,
  allowed: readonly (keyof DataFlags)[],
  path: string,
): void {
  for (const [key, { name, of }] of Object.entries(OPTIONS)) {
    const option = key as keyof DataFlags;
    if (flags[option] === undefined || allowed.includes(option)) continue;
    throw new QuireError(
      "invalid_request",
      `The option ${name} is for ${of} files, but the data file is ${JSON.stringify(path)}. Remove the option.`,
    );
  }
}
