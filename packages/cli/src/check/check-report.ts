import type { Diagnostic } from "@quire/core";
import { cliWords } from "../terminal/cli-words.ts";
import { count } from "../terminal/format.ts";
import { type Io, writeLine } from "../terminal/io.ts";
import { oneLine, placeOf } from "../terminal/print-error.ts";
import { type EntryPlace, ProblemList } from "./problem-list.ts";

/** The checked files, and the numbers of their problems. */
export interface CheckSummary {
  readonly template: string;
  /** Null if the template cannot be used. */
  readonly tags: number | null;
  /** Null if there is no data file. */
  readonly data: string | null;
  /** Null if the data was not checked. */
  readonly entries: number | null;
  /** The number of skipped blank rows in a spreadsheet. Absent if no row was skipped. */
  readonly blank_rows?: number;
  readonly entries_with_errors: number;
  readonly entries_with_warnings: number;
  /** The number of problems, counting each occurrence. */
  readonly errors: number;
  readonly warnings: number;
}

/** Reports the findings of a check. */
export interface CheckReport {
  /**
   * Adds a problem. Problems of entries must be added in the order of the entries. `place` is null for a problem of the
   * template or of a whole file.
   */
  add(diagnostic: Diagnostic, place: EntryPlace | null): void;
  finish(summary: CheckSummary): void;
}

/**
 * Creates a report for people. At the end, it prints each problem once on standard output, with the affected entries.
 */
export function textReport(io: Io): CheckReport {
  const problems = new ProblemList();
  return {
    add: (diagnostic, place) => problems.add(diagnostic, place),
    finish(summary) {
      for (const line of problems.lines(summary.entries ?? 0)) writeLine(io.stdout, line);
      for (const line of summaryLines(summary)) writeLine(io.stdout, line);
    },
  };
}

/**
 * Creates a report for programs. It prints each problem on standard output as a line of JSON as soon as it is found,
 * and the summary as the last line. The field `type` distinguishes problems from the summary.
 */
export function jsonReport(io: Io): CheckReport {
  return {
    add(diagnostic, place) {
      const { entry, line } = place ?? { entry: null, line: null };
      const words = placeOf(diagnostic);
      const where = words === "" ? {} : { place: words };
      const problem = { ...diagnostic, ...inCliWords(diagnostic), ...where };
      writeLine(io.stdout, JSON.stringify({ type: "problem", entry, line, ...problem }));
    },
    finish(summary) {
      writeLine(io.stdout, JSON.stringify({ type: "summary", ...summary }));
    },
  };
}

function inCliWords({ message, hint }: Diagnostic): Pick<Diagnostic, "message" | "hint"> {
  return { message: cliWords(message), ...(hint === undefined ? {} : { hint: cliWords(hint) }) };
}

function summaryLines(summary: CheckSummary): string[] {
  const { template, tags, data, entries, errors, warnings } = summary;
  const size = tags === null ? "cannot be used" : counted(tags, "tag");
  if (data === null)
    return [sentence(template, size, [counted(errors, "error"), counted(warnings, "warning")])];
  if (entries === null)
    return [`${sentence(template, size, [])}; ${oneLine(data)} was not checked`];
  const total = entries === 1 ? "1 entry" : `${count(entries)} entries`;
  return [
    sentence(template, size, []),
    sentence(data, total, [
      `${count(summary.entries_with_errors)} with errors`,
      `${count(summary.entries_with_warnings)} with warnings`,
      ...(summary.blank_rows ? [`${counted(summary.blank_rows, "blank row")} skipped`] : []),
    ]),
  ];
}

function sentence(file: string, size: string, found: readonly string[]): string {
  return `${oneLine(file)}: ${[size, ...found].join(", ")}`;
}

function counted(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}
