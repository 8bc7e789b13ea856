import { dirname, extname, join } from "node:path";
import { annotateTemplate, type Diagnostic, isQuireError } from "@quire/core";
import { checkEntry } from "../check/check-entry.ts";
import { type FoundProblem, ProblemList, placesInWords } from "../check/problem-list.ts";
import {
  badOutput,
  createFile,
  readInput,
  refuseToReplace,
  replaceFile,
  stem,
} from "../files/command-files.ts";
import { withDataFile } from "../files/data-file.ts";
import { fileNames } from "../files/file-names.ts";
import { withName } from "../files/file-problems.ts";
import { besideFile } from "../files/folder-files.ts";
import { svgFontsIn } from "../files/svg-fonts.ts";
import { refuseSwapped } from "../files/swapped.ts";
import { type LoadedTemplate, loadTemplate } from "../files/template.ts";
import type { DataFlags } from "../options/data.ts";
import type { CompileFlags, PrintFlags } from "../options/print.ts";
import { count } from "../terminal/format.ts";
import { type CommandIo, writeLine } from "../terminal/io.ts";
import { printError } from "../terminal/print-error.ts";
import { openData } from "./open-data.ts";
import { assertPrintable, renderOptions } from "./print-options.ts";

/** The flags of `quire annotate`. */
export interface AnnotateOptions extends DataFlags, PrintFlags, CompileFlags {
  readonly data?: string;
  readonly out?: string;
}

/** Writes a copy of the template with a comment at each problem. */
export async function annotate(
  io: CommandIo,
  path: string,
  options: AnnotateOptions,
): Promise<void> {
  const { delimiters, data } = options;
  refuseSwapped(io, path, data);
  const output = options.out ?? join(dirname(path), `${stem(path)}.review.docx`);
  if (extname(output).toLowerCase() !== ".docx") throw badOutput(io, output, [".docx"]);
  await refuseToReplace(io, output, data === undefined ? [path] : [path, data]);
  const loaded = await loadOrProblems(io, path, options);
  const problems = "template" in loaded ? await problemsOf(io, loaded, options) : loaded;
  const bytes = await annotateTemplate(await readInput(io, path), problems, { delimiters }).catch(
    (error: unknown) => {
      throw isQuireError(error) ? withName(error, path) : error;
    },
  );
  if (options.out === undefined) await createFile(io, output, bytes);
  else await replaceFile(io, output, bytes);
  writeLine(io.stdout, output);
  const [number, are] = [count(problems.length), problems.length === 1 ? " is" : "s are"];
  writeLine(
    io.stderr,
    problems.length === 0
      ? "No problems were found, so no comments were added."
      : `${number} problem${are} marked with comments.`,
  );
}

/** Loads the template. Returns the problems instead if its tags are invalid. */
async function loadOrProblems(
  io: CommandIo,
  path: string,
  options: AnnotateOptions,
): Promise<LoadedTemplate | readonly Diagnostic[]> {
  try {
    return await loadTemplate(io, path, options);
  } catch (error) {
    if (!isQuireError(error) || error.code !== "invalid_template") throw error;
    if (error.diagnostics.length === 0) throw error;
    if (options.data !== undefined) {
      writeLine(io.stderr, "The data was not checked, because the template has invalid tags.");
    }
    return error.diagnostics;
  }
}

/** Returns the template's warnings, and those problems of the entries that its author can fix in the template. */
async function problemsOf(
  io: CommandIo,
  { template }: LoadedTemplate,
  options: AnnotateOptions,
): Promise<readonly Diagnostic[]> {
  const { data } = options;
  if (data === undefined) return template.warnings;
  return withDataFile(io, { ...options, data }, (dataPath) =>
    problemsIn(io, template, { ...options, data, dataPath }),
  );
}

async function problemsIn(
  io: CommandIo,
  template: LoadedTemplate["template"],
  options: AnnotateOptions & { readonly data: string; readonly dataPath: string },
): Promise<readonly Diagnostic[]> {
  const { data, dataPath } = options;
  const print = renderOptions(options);
  const context = {
    template,
    options: print,
    readFile: besideFile(io, data),
    names: fileNames(undefined, "document", print),
    svgFonts: await svgFontsIn(io, options.svgFonts),
  };
  assertPrintable(template, print);
  const problems = new ProblemList();
  let entry = 0;
  let unreadable = 0;
  try {
    const file = await openData(io, dataPath, { flags: options });
    for await (const item of file.entries([template]).items()) {
      entry += 1;
      if (isQuireError(item.entry)) unreadable += 1;
      const found = await checkEntry(item.entry, context);
      for (const diagnostic of found.filter(isOfTemplate)) {
        problems.add(diagnostic, { entry, line: item.line });
      }
    }
  } catch (error) {
    // If the file ends unexpectedly, the problems of the entries before its end are still reported.
    if (entry === 0) throw error;
    printError(io, error);
  }
  if (unreadable > 0) {
    writeLine(
      io.stderr,
      `${count(unreadable)} of the entries cannot be read. Run quire check to see why.`,
    );
  }
  if (problems.unlisted > 0) {
    writeLine(
      io.stderr,
      `${count(problems.unlisted)} more problems are not marked. quire check --json lists all of them.`,
    );
  }
  return [...template.warnings, ...problems.problems.map((found) => withEntries(found, entry))];
}

/** Whether the author can fix the problem in the template. */
function isOfTemplate({ template, code }: Diagnostic): boolean {
  return template !== undefined || code === "unused_value";
}

function withEntries({ diagnostic, ...found }: FoundProblem, all: number): Diagnostic {
  return { ...diagnostic, message: `${diagnostic.message} In ${placesInWords(found, all)}` };
}
