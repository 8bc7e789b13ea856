import {
  type Condition,
  compileCondition,
  type Diagnostic,
  isQuireError,
  pointerPath,
  QuireError,
} from "@quire/core";
import { chooseEntries } from "../entries/choose-entries.ts";
import { noEntries } from "../entries/entry.ts";
import type { EntryRanges } from "../entries/entry-ranges.ts";
import type { SelectionFlags } from "../options/selection.ts";
import { writeLine } from "../terminal/io.ts";
import type { Progress } from "../terminal/progress.ts";
import type { DataFile, DataUser } from "./open-data.ts";

/** The chosen entries of a data file. */
export interface SelectedEntries {
  /** The number of entries in the file; null if it ends unexpectedly. */
  readonly total: number | null;
  /** Null for all entries. */
  readonly chosen: EntryRanges | null;
  /** The number of skipped blank rows. */
  readonly blankRows: number;
  /** Whether the choice uses the value that a diagnostic reports as unused. */
  use(diagnostic: Diagnostic): boolean;
}

/**
 * Counts the entries of a data file and chooses the entries that the flags name. `users` are the templates and patterns
 * that use the data. Throws `invalid_data` for a file without entries, and the errors of {@link chooseEntries}.
 */
export async function selectEntries(
  progress: Progress,
  file: DataFile,
  flags: SelectionFlags,
  {
    path,
    users,
    timeZone,
  }: {
    readonly path: string;
    readonly users: readonly DataUser[];
    readonly timeZone?: string | undefined;
  },
): Promise<SelectedEntries> {
  const condition = conditionOf(flags.where);
  progress.phase("counting entries");
  const counted = file.entries([]);
  const total = await counted.count();
  if (total === 0) throw noEntries(path);
  if (condition !== null) progress.phase("choosing entries");
  const source = file.entries(condition === null ? users : [...users, condition]);
  const warn = (message: string) => writeLine(progress.io.stderr, `warning: ${message}`);
  const chosen = await chooseEntries(source, flags, { path, total, condition, timeZone, warn });
  const use = ({ code, pointer = "" }: Diagnostic): boolean =>
    code === "unused_value" && (condition?.useOf(pointerPath(pointer)) ?? null) !== null;
  return { total, chosen, blankRows: counted.blankRows, use };
}

function conditionOf(where: string | undefined): Condition | null {
  if (where === undefined) return null;
  const refused = `The condition --where ${JSON.stringify(where)} is not valid.`;
  if (where.includes("{{")) {
    throw new QuireError("invalid_request", `${refused} Write it without {{ and }}.`);
  }
  try {
    return compileCondition(where);
  } catch (error) {
    if (!isQuireError(error)) throw error;
    const hints = error.diagnostics.flatMap(({ hint }) => hint ?? []);
    throw new QuireError("invalid_request", [refused, error.message, ...hints].join(" "));
  }
}
