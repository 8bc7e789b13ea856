import {
  type ConverterJoining,
  type Diagnostic,
  isQuireError,
  type Job,
  type JobCounts,
} from "@quire/core/host";
import { EXIT } from "./exit.ts";
import { count, duration } from "./format.ts";
import { type Io, writeLine } from "./io.ts";
import { describe, describeCause, printError } from "./print-error.ts";

/** Maximum number of entries with errors that are listed, and of errors for each entry. */
const MAX_LISTED = 1000;
const MAX_PER_ENTRY = 5;
/** Maximum number of different warnings that are kept, and that are listed. */
const MAX_WARNINGS_KEPT = 10_000;
const MAX_WARNINGS_LISTED = 50;
/** Maximum number of entries of a warning that are named. */
const MAX_ENTRIES_NAMED = 3;

/** The code of the warning that counts the warnings which were not kept. */
const MORE_PROBLEMS = "more_problems";

/** An entry that failed or has errors. */
interface EntryWithErrors {
  readonly entry: number;
  readonly name: string | null;
  readonly failed: boolean;
  readonly errors: readonly Diagnostic[];
  readonly cause: string | null;
}

/** The results of a run: counts, and the entries with errors. Keeps no documents and no data. */
export class RunReport {
  readonly #started = performance.now();
  readonly #entriesWithErrors: EntryWithErrors[] = [];
  /** Each distinct warning, as a single line, with its number of entries and the first of these entries. */
  readonly #warnings = new Map<string, { entries: number; readonly first: number[] }>();
  /** Number of entries for which the engine kept only some warnings, to limit their size. */
  #shortened = 0;
  /** Number of entries with warnings that are not kept. */
  #moreWarnings = 0;
  #completed = 0;
  #withErrors = 0;
  #failed = 0;
  /** Number of entries whose file names are taken. */
  #taken = 0;
  #broken: unknown = null;
  #before = 0;

  get total(): number {
    return this.#completed + this.#withErrors + this.#failed;
  }

  get failed(): number {
    return this.#failed;
  }

  add({ entry, requestedName: name, status, failure, errors, warnings }: Job): void {
    if (status === "completed") this.#completed += 1;
    else if (status === "failed") this.#failed += 1;
    else this.#withErrors += 1;
    if (failure?.code === "conflict") this.#taken += 1;
    this.#addWarnings(entry, warnings);
    if (errors.length > 0 && this.#entriesWithErrors.length < MAX_LISTED) {
      const cause = describeCause(failure);
      this.#entriesWithErrors.push({ entry, name, failed: status === "failed", errors, cause });
    }
  }

  #addWarnings(entry: number, warnings: readonly Diagnostic[]): void {
    const kept = warnings.filter(({ code }) => code !== MORE_PROBLEMS);
    if (kept.length < warnings.length) this.#shortened += 1;
    // The place in the data may differ between entries; the rest of the message depends on the template.
    const texts = new Set(
      kept.map(({ pointer: _, pointers: __, count: ___, ...rest }) => describe(rest)),
    );
    let isMore = false;
    for (const text of texts) {
      const found = this.#warnings.get(text) ?? { entries: 0, first: [] };
      if (found.entries === 0 && this.#warnings.size >= MAX_WARNINGS_KEPT) {
        isMore = true;
        continue;
      }
      found.entries += 1;
      found.first.push(entry);
      found.first.sort((a, b) => a - b).splice(MAX_ENTRIES_NAMED);
      this.#warnings.set(text, found);
    }
    if (isMore) this.#moreWarnings += 1;
  }

  /** Sets the number of entries done by an earlier command, which do not count towards the rate. */
  since(before: number): void {
    this.#before = before;
  }

  /** Sets the counts of all ended jobs, including jobs that were not added. */
  counted(counts: JobCounts): void {
    this.#completed = counts.completed;
    this.#withErrors = counts.completed_with_error;
    this.#failed = counts.failed;
  }

  /** Records that the source of the entries failed before its end. */
  broken(error: unknown): void {
    this.#broken = error;
  }

  exitCode(): number {
    const made = this.#completed + this.#withErrors;
    if (this.#broken !== null && this.total === 0) return EXIT.nothingRan;
    if (this.#broken !== null || made < this.total || this.#withErrors > 0) return EXIT.someErrors;
    return EXIT.completed;
  }

  /** Prints failures to standard error and, unless `quiet` is set, the summary to standard output. */
  print(
    io: Io,
    out: string,
    {
      interrupted,
      blankRows,
      quiet,
      ifTaken,
      isDry,
      joining,
    }: {
      readonly interrupted: boolean;
      readonly blankRows: number;
      readonly quiet: boolean;
      /** What to do about file names that are taken. */
      readonly ifTaken: string;
      /** Whether nothing was written. */
      readonly isDry: boolean;
      /** How PDFs were made; null if none were. */
      readonly joining: ConverterJoining | null;
    },
  ): void {
    this.#printTroubles(io);
    if (this.#taken > 0) {
      const entries = this.#taken === 1 ? "entry" : "entries";
      writeLine(
        io.stderr,
        `The file names of ${count(this.#taken)} ${entries} are taken. ${ifTaken}`,
      );
    }
    this.#printWarnings(io);
    if (this.#broken !== null) {
      if (!isQuireError(this.#broken)) throw this.#broken;
      printError(io, this.#broken);
    }
    if (interrupted) {
      writeLine(io.stderr, "Interrupted: the remaining entries were not started.");
      if (!isDry) writeLine(io.stderr, "Run the same command again to resume.");
    }
    if (quiet) return;
    this.#printSummary(io, isDry ? null : out, blankRows);
    if (joining !== null) printJoining(io, joining);
  }

  /** Prints the summary. `out` is the folder or bucket of the documents; null if they were not written. */
  #printSummary(io: Io, out: string | null, blankRows: number): void {
    const seconds = (performance.now() - this.#started) / 1000;
    const made = this.#completed + this.#withErrors;
    const rows: [string, number][] = [
      ["completed", this.#completed],
      ["completed with errors", this.#withErrors],
      ["failed", this.#failed],
      ["total", this.total],
    ];
    if (blankRows > 0) rows.push(["blank rows skipped", blankRows]);
    const width = Math.max(...rows.map(([, value]) => count(value).length));
    for (const [label, value] of rows) {
      writeLine(io.stdout, `${label.padEnd(24)}${count(value).padStart(width)}`);
    }
    if (out === null) {
      writeLine(io.stdout, "Dry run: nothing was written.");
      return;
    }
    const now = this.total - this.#before;
    const rate = now > 0 ? `, ${(now / seconds).toFixed(1)} per second` : "";
    writeLine(
      io.stdout,
      `${count(made)} ${made === 1 ? "document" : "documents"} in ${out}, ${duration(seconds)}${rate}`,
    );
  }

  #printTroubles(io: Io): void {
    const entriesWithErrors = this.#entriesWithErrors.sort((a, b) => a.entry - b.entry);
    for (const { entry, name, failed, errors, cause } of entriesWithErrors) {
      const called = name === null ? "" : ` (${JSON.stringify(name)})`;
      const fate = failed ? "failed" : "completed with errors";
      writeLine(io.stderr, `entry ${entry}${called} ${fate}:`);
      for (const error of errors.slice(0, MAX_PER_ENTRY))
        writeLine(io.stderr, `  ${describe(error)}`);
      if (errors.length > MAX_PER_ENTRY) {
        writeLine(io.stderr, `  … and ${count(errors.length - MAX_PER_ENTRY)} more errors`);
      }
      if (cause !== null) writeLine(io.stderr, `  ${cause}`);
    }
    const listed = entriesWithErrors.length;
    const all = this.#failed + this.#withErrors;
    if (all > listed) writeLine(io.stderr, `… and ${count(all - listed)} more entries with errors`);
  }

  /** Prints the most common warnings first, because the template or the data as a whole causes them. */
  #printWarnings(io: Io): void {
    const warnings = [...this.#warnings].sort(
      ([a, one], [b, other]) => other.entries - one.entries || (a < b ? -1 : 1),
    );
    const atLeast = this.#shortened > 0 ? "at least " : "";
    for (const [text, { entries, first }] of warnings.slice(0, MAX_WARNINGS_LISTED)) {
      const of = entries === 1 ? "entry" : "entries";
      const which = `${first.join(", ")}${entries > first.length ? ", …" : ""}`;
      writeLine(io.stderr, `warning: ${text} (${atLeast}${count(entries)} ${of}: ${which})`);
    }
    const more = warnings.length - MAX_WARNINGS_LISTED;
    if (more > 0 || this.#moreWarnings > 0) {
      const least = this.#moreWarnings > 0 ? "at least " : "";
      writeLine(
        io.stderr,
        `… and ${least}${count(more)} other warnings; quire check --json lists all`,
      );
    }
    if (this.#shortened > 0) {
      writeLine(
        io.stderr,
        `Only some warnings of ${count(this.#shortened)} entries were kept; quire check --json lists all`,
      );
    }
  }
}

/** Reports PDFs that could have been made faster together. */
function printJoining(io: Io, { joined, separate, refused }: ConverterJoining): void {
  const reasons = Object.keys(refused);
  if (reasons.length === 0) return;
  writeLine(
    io.stdout,
    `${count(separate)} of ${count(joined + separate)} PDFs were converted one by one, which takes longer. Reason: ${reasons.join("; ")}`,
  );
}
