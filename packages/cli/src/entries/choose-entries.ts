import { type Condition, type Diagnostic, isQuireError, QuireError } from "@quire/core";
import type { DataSource } from "./entry.ts";
import { EntryRanges } from "./entry-ranges.ts";

/** Which entries of a data file to use. Default: all. */
export interface EntrySelection {
  readonly entries?: EntryRanges;
  /** A condition in the language of `{{if …}}`. */
  readonly where?: string;
  /** The maximum number of entries. The first of those that the other two properties choose are used. */
  readonly limit?: number;
}

/** The context of {@link chooseEntries}. */
export interface ChoiceContext {
  /** The path of the data file, for messages. */
  readonly path: string;
  /** The number of entries in the file; null if it ends unexpectedly after some entries. */
  readonly total: number | null;
  /** The compiled condition of `--where`; null without `--where`. */
  readonly condition: Condition | null;
  readonly timeZone?: string | undefined;
  /** Receives a warning about the condition as a sentence. */
  readonly warn: (message: string) => void;
}

/**
 * Returns the entries that a selection chooses; null for all. An entry that cannot be read cannot be tested, so it is
 * chosen and then reported. Throws `invalid_request` if no entry is chosen, if the file does not have a chosen number,
 * or if no entry has a value that the condition compares, and `invalid_data` if the condition cannot be computed.
 */
export async function chooseEntries(
  source: DataSource,
  { entries, where, limit }: EntrySelection,
  context: ChoiceContext,
): Promise<EntryRanges | null> {
  if (entries === undefined && where === undefined && limit === undefined) return null;
  const most = limit ?? Number.POSITIVE_INFINITY;
  const inFile = inRange(entries ?? EntryRanges.ALL, context);
  const { condition } = context;
  if (condition === null || where === undefined) return inFile.first(most);
  const matches = new Matches(where, condition, context);
  const chosen = EntryRanges.of(await matches.find(source, inFile, most));
  matches.reportWarnings();
  if (chosen.size > 0) return chosen;
  throw new QuireError(
    "invalid_request",
    `--where ${JSON.stringify(where)} is true for none of the ${matches.tested} entries, so nothing was made.`,
  );
}

function inRange(entries: EntryRanges, { path, total }: ChoiceContext): EntryRanges {
  if (total === null) return entries;
  const chosen = entries.upTo(total);
  const isBeyond = entries.last > total && entries.last !== Number.POSITIVE_INFINITY;
  if (chosen.size > 0 && !isBeyond) return chosen;
  throw new QuireError(
    "invalid_request",
    `--entries ${entries} names entries that do not exist: the data file ${JSON.stringify(path)} has ${total} ${total === 1 ? "entry" : "entries"}.`,
  );
}

/** Tests a condition with the entries of a file. */
class Matches {
  readonly #where: string;
  readonly #condition: Condition;
  readonly #context: ChoiceContext;
  /** The number of entries with each warning. */
  readonly #warnings = new Map<string, { readonly warning: Diagnostic; entries: number }>();
  /** The number of entries that could be read. */
  tested = 0;

  constructor(where: string, condition: Condition, context: ChoiceContext) {
    this.#where = where;
    this.#condition = condition;
    this.#context = context;
  }

  async find(source: DataSource, range: EntryRanges, most: number): Promise<number[]> {
    const chosen: number[] = [];
    let number = 0;
    for await (const { entry } of source.items()) {
      number += 1;
      if (number > range.last) break;
      if (!range.has(number)) continue;
      if (isQuireError(entry) || this.#test(number, entry.data)) chosen.push(number);
      if (chosen.length === most) break;
    }
    return chosen;
  }

  #test(number: number, data: object): boolean {
    this.tested += 1;
    const { timeZone } = this.#context;
    try {
      const { isTrue, warnings } = this.#condition.test(
        data,
        timeZone === undefined ? {} : { timeZone },
      );
      for (const warning of warnings) this.#add(warning);
      return isTrue;
    } catch (error) {
      if (!isQuireError(error)) throw error;
      throw new QuireError(
        "invalid_data",
        `--where ${JSON.stringify(this.#where)} cannot be computed for entry ${number}.`,
        { diagnostics: error.diagnostics },
      );
    }
  }

  #add(warning: Diagnostic): void {
    const known = this.#warnings.get(warning.message);
    if (known !== undefined) known.entries += 1;
    else this.#warnings.set(warning.message, { warning, entries: 1 });
  }

  /** Reports the warnings. A value that no entry has may be a word without quotes, or a misspelled name. */
  reportWarnings(): void {
    for (const { warning, entries } of this.#warnings.values()) {
      const { code, message, hint } = warning;
      const sentence = `--where: ${message}${hint === undefined ? "" : ` ${hint}`}`;
      if (code === "missing_in_condition" && entries === this.tested) {
        throw new QuireError("invalid_request", sentence);
      }
      this.#context.warn(`${sentence} (${entries} ${entries === 1 ? "entry" : "entries"})`);
    }
  }
}
