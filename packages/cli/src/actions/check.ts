import { type Diagnostic, type ErrorCode, isQuireError, type RenderOptions } from "@quire/core";
import { type CheckContext, checkEntry, diagnosticsOf } from "../check/check-entry.ts";
import { type CheckReport, jsonReport, textReport } from "../check/check-report.ts";
import type { EntryPlace } from "../check/problem-list.ts";
import { type DataSource, noEntries } from "../entries/entry.ts";
import { stem } from "../files/command-files.ts";
import { withDataFile } from "../files/data-file.ts";
import { fileNames } from "../files/file-names.ts";
import { besideFile } from "../files/folder-files.ts";
import { noTags } from "../files/no-tags.ts";
import { svgFontsIn } from "../files/svg-fonts.ts";
import { refuseSwapped } from "../files/swapped.ts";
import { type LoadedTemplate, loadTemplate } from "../files/template.ts";
import type { DataFlags } from "../options/data.ts";
import type { CompileFlags, PrintFlags } from "../options/print.ts";
import { EXIT } from "../terminal/exit.ts";
import type { CommandIo } from "../terminal/io.ts";
import { createProgress } from "../terminal/progress.ts";
import { openData } from "./open-data.ts";
import { assertPrintable, renderOptions } from "./print-options.ts";

/** The flags of `quire check`. */
export interface CheckOptions extends DataFlags, PrintFlags, CompileFlags {
  readonly data?: string;
  readonly name?: string;
  readonly strict?: true;
  readonly json?: true;
}

/** Reports every problem of the template and of the entries. Sets the exit code. */
export async function check(io: CommandIo, path: string, options: CheckOptions): Promise<void> {
  const { data } = options;
  refuseSwapped(io, path, data);
  if (data === undefined) await checkFiles(io, path, { options, dataPath: null });
  else
    await withDataFile(io, { ...options, data }, (dataPath) =>
      checkFiles(io, path, { options, dataPath }),
    );
}

/**
 * Checks the template and the data file `dataPath`, which is a copy if the command names a pipe; null without
 * `--data`.
 */
async function checkFiles(
  io: CommandIo,
  path: string,
  { options, dataPath }: { readonly options: CheckOptions; readonly dataPath: string | null },
): Promise<void> {
  const { data } = options;
  const file = dataPath === null ? null : await openData(io, dataPath, { flags: options });
  const findings = new CheckFindings(options.json ? jsonReport(io) : textReport(io));
  const loaded = await load(io, path, { options, findings });
  const files = { template: path, data: data ?? null };
  if (loaded === null) {
    findings.finish({ ...files, tags: null, entries: null, blankRows: 0 });
  } else {
    const { template } = loaded;
    const print: RenderOptions = renderOptions(options);
    assertPrintable(template, print);
    const names = fileNames(options.name, stem(path), print);
    const source = file?.entries([template, names]) ?? null;
    let entries: number | null = null;
    if (source !== null && data !== undefined) {
      const readFile = besideFile(io, data);
      const svgFonts = await svgFontsIn(io, options.svgFonts);
      const context: CheckContext = { template, options: print, readFile, names, svgFonts };
      entries = await checkData(io, { source, path: data }, { context, findings });
    }
    const blankRows = source?.blankRows ?? 0;
    findings.finish({ ...files, tags: template.tagCount, entries, blankRows });
  }
  io.exitCode = findings.exitCode(options.strict === true);
}

/** The codes of problems with a file, as opposed to problems with the command line, the machine or Quire. */
const PROBLEMS: ReadonlySet<ErrorCode> = new Set([
  "invalid_template",
  "invalid_data",
  "limit_exceeded",
]);

/** Loads the template and adds its warnings. If the template is invalid, adds its problems and returns null. */
async function load(
  io: CommandIo,
  path: string,
  { options, findings }: { readonly options: CompileFlags; readonly findings: CheckFindings },
): Promise<LoadedTemplate | null> {
  try {
    const loaded = await loadTemplate(io, path, options);
    const untagged = noTags(loaded, options);
    const warnings = [...loaded.template.warnings, ...(untagged === null ? [] : [untagged])];
    for (const warning of warnings) findings.add(warning, null);
    return loaded;
  } catch (error) {
    findings.addError(error);
    return null;
  }
}

/** Checks the entries and returns their number. If the rest of the file cannot be read, adds that problem. */
async function checkData(
  io: CommandIo,
  { source, path }: { readonly source: DataSource; readonly path: string },
  { context, findings }: { readonly context: CheckContext; readonly findings: CheckFindings },
): Promise<number> {
  const progress = createProgress(io, { quiet: !io.stderr.isTTY });
  progress.phase("counting entries");
  // If counting fails, reading the entries below fails, too, and that error is reported.
  const total = io.stderr.isTTY ? await source.count().catch(() => null) : null;
  progress.phase("checking", { rate: true });
  let entry = 0;
  try {
    for await (const item of source.items()) {
      entry += 1;
      findings.addEntry(await checkEntry(item.entry, context), { entry, line: item.line });
      progress.update({ done: entry, failed: findings.entriesWithErrors, total });
    }
    if (entry === 0) throw noEntries(path);
  } catch (error) {
    findings.addError(error);
  } finally {
    progress.finish();
  }
  return entry;
}

/** Counts findings and passes them on to the report. */
class CheckFindings {
  readonly #report: CheckReport;
  readonly #counts = { error: 0, warning: 0 };
  readonly #entries = { error: 0, warning: 0 };

  constructor(report: CheckReport) {
    this.#report = report;
  }

  get entriesWithErrors(): number {
    return this.#entries.error;
  }

  add(diagnostic: Diagnostic, place: EntryPlace | null): void {
    this.#counts[diagnostic.severity] += diagnostic.count ?? 1;
    this.#report.add(diagnostic, place);
  }

  addEntry(diagnostics: readonly Diagnostic[], place: EntryPlace): void {
    for (const diagnostic of diagnostics) this.add(diagnostic, place);
    for (const severity of new Set(diagnostics.map((each) => each.severity))) {
      this.#entries[severity] += 1;
    }
  }

  /** Adds the problems that an error reports about a file. Rethrows any other error. */
  addError(error: unknown): void {
    if (!isQuireError(error) || !PROBLEMS.has(error.code)) throw error;
    for (const diagnostic of diagnosticsOf(error)) this.add(diagnostic, null);
  }

  finish(files: {
    readonly template: string;
    readonly data: string | null;
    readonly tags: number | null;
    readonly entries: number | null;
    readonly blankRows: number;
  }): void {
    const { blankRows, ...shown } = files;
    this.#report.finish({
      ...shown,
      ...(blankRows === 0 ? {} : { blank_rows: blankRows }),
      entries_with_errors: this.#entries.error,
      entries_with_warnings: this.#entries.warning,
      errors: this.#counts.error,
      warnings: this.#counts.warning,
    });
  }

  exitCode(strict: boolean): number {
    const wrong = this.#counts.error + (strict ? this.#counts.warning : 0);
    return wrong > 0 ? EXIT.someErrors : EXIT.completed;
  }
}
