import { type Diagnostic, isQuireError, type Job, type JobCounts } from "@quire/core/host";
import { EXIT } from "../exit.ts";
import { type Io, writeLine } from "../io.ts";
import { describe, describeCause, printError } from "./problems.ts";
import { count, duration } from "./progress.ts";

/** At most this many entries with errors are listed, and of each at most so many errors. */
const MAX_LISTED = 1000;
const MAX_PER_ENTRY = 5;
/** At most this many different warnings are kept, and so many of them are listed. */
const MAX_WARNINGS_KEPT = 10_000;
const MAX_WARNINGS_LISTED = 50;

/** An entry that did not come out as it should. */
interface Trouble {
  readonly entry: number;
  readonly name: string | null;
  readonly failed: boolean;
  readonly errors: readonly Diagnostic[];
  readonly cause: string | null;
}

/** What became of a run: counts, and the entries with errors. Holds no document and no data. */
export class RunReport {
  readonly #started = performance.now();
  readonly #troubles: Trouble[] = [];
  /** Each different warning in one line, and how many entries have it. */
  readonly #warnings = new Map<string, number>();
  /** Entries with warnings that are different from all that are kept. */
  #moreWarnings = 0;
  #completed = 0;
  #withErrors = 0;
  #failed = 0;
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
    this.#addWarnings(warnings);
    if (errors.length > 0 && this.#troubles.length < MAX_LISTED) {
      const cause = describeCause(failure);
      this.#troubles.push({ entry, name, failed: status === "failed", errors, cause });
    }
  }

  #addWarnings(warnings: readonly Diagnostic[]): void {
    // Where it stands in the data may differ from entry to entry; the rest is the template's.
    const texts = new Set(
      warnings.map(({ pointer: _, pointers: __, count: ___, ...rest }) => describe(rest)),
    );
    let isMore = false;
    for (const text of texts) {
      const entries = this.#warnings.get(text) ?? 0;
      if (entries > 0 || this.#warnings.size < MAX_WARNINGS_KEPT) {
        this.#warnings.set(text, entries + 1);
      } else isMore = true;
    }
    if (isMore) this.#moreWarnings += 1;
  }

  /** So many entries were done before this run of the command: they say nothing about its speed. */
  since(before: number): void {
    this.#before = before;
  }

  /** All that has ended, also what was not added. */
  counted(counts: JobCounts): void {
    this.#completed = counts.completed;
    this.#withErrors = counts.completed_with_error;
    this.#failed = counts.failed;
  }

  /** The source of the entries broke before its end. */
  broken(error: unknown): void {
    this.#broken = error;
  }

  exitCode(): number {
    const made = this.#completed + this.#withErrors;
    if (this.#broken !== null && this.total === 0) return EXIT.nothingRan;
    if (this.#broken !== null || made < this.total || this.#withErrors > 0) return EXIT.someErrors;
    return EXIT.completed;
  }

  /** Failures to standard error, the summary to standard output. */
  print(
    io: Io,
    out: string,
    { interrupted, blankRows }: { readonly interrupted: boolean; readonly blankRows: number },
  ): void {
    this.#printTroubles(io);
    this.#printWarnings(io);
    if (this.#broken !== null) {
      if (!isQuireError(this.#broken)) throw this.#broken;
      printError(io, this.#broken);
    }
    if (interrupted) {
      writeLine(io.stderr, "Interrupted: the remaining entries were not started.");
      writeLine(io.stderr, "Run the same command again to resume.");
    }
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
    const now = this.total - this.#before;
    const rate = now > 0 ? `, ${(now / seconds).toFixed(1)} per second` : "";
    writeLine(
      io.stdout,
      `${count(made)} ${made === 1 ? "document" : "documents"} in ${out}, ${duration(seconds)}${rate}`,
    );
  }

  #printTroubles(io: Io): void {
    const troubles = this.#troubles.sort((a, b) => a.entry - b.entry);
    for (const { entry, name, failed, errors, cause } of troubles) {
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
    const listed = troubles.length;
    const all = this.#failed + this.#withErrors;
    if (all > listed) writeLine(io.stderr, `… and ${count(all - listed)} more entries with errors`);
  }

  /** Those of most entries first: what all have is the template's fault, or the data's as a whole. */
  #printWarnings(io: Io): void {
    const warnings = [...this.#warnings].sort(
      ([a, entriesOfA], [b, entriesOfB]) => entriesOfB - entriesOfA || (a < b ? -1 : 1),
    );
    for (const [text, entries] of warnings.slice(0, MAX_WARNINGS_LISTED)) {
      writeLine(
        io.stderr,
        `warning: ${text} (${count(entries)} ${entries === 1 ? "entry" : "entries"})`,
      );
    }
    const more = warnings.length - MAX_WARNINGS_LISTED;
    if (more > 0 || this.#moreWarnings > 0) {
      const least = this.#moreWarnings > 0 ? "at least " : "";
      writeLine(
        io.stderr,
        `… and ${least}${count(more)} other warnings; quire check --json lists all`,
      );
    }
  }
}
