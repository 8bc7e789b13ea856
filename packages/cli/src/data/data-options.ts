import { QuireError } from "@quire/core/host";
import type { DataFlags } from "../options/data.ts";

/** Returns the options that affect how data is read, as a part of the run's key; undefined if none of them is set. */
export function dataKey({ types, dataLocale, encoding, sheet }: DataFlags): object | undefined {
  const all = { types: types?.source, dataLocale, encoding, sheet };
  return Object.values(all).every((value) => value === undefined) ? undefined : all;
}

/** The names of the options, and the types of files that they apply to. */
const OPTIONS: Readonly<
  Record<Exclude<keyof DataFlags, "dataFormat">, { readonly name: string; readonly of: string }>
> = {
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
    const option = key as keyof typeof OPTIONS;
    if (flags[option] === undefined || allowed.includes(option)) continue;
    throw new QuireError(
      "invalid_request",
      `The option ${name} is for ${of} files, but the data file is ${JSON.stringify(path)}. Remove the option.`,
    );
  }
}
