import { stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { type Converter, isQuireError, QuireError } from "@quire/core/host";
import {
  prepareFolder,
  readInput,
  refuseToReplace,
  replaceFile,
  stem,
} from "../files/command-files.ts";
import { withName } from "../files/file-problems.ts";
import { converterFor, requireSoffice } from "../files/soffice.ts";
import type { PdfFlags } from "../options/pdf.ts";
import { EXIT } from "../terminal/exit.ts";
import { type CommandIo, pathIn, writeLine } from "../terminal/io.ts";
import { describe, printError } from "../terminal/print-error.ts";
import { onStop } from "../terminal/stop-signals.ts";
import { pdfOptions } from "./pdf-options.ts";

/** The flags of `quire convert`. */
export interface ConvertFlags extends PdfFlags {
  readonly out: string;
  readonly soffice?: string;
  readonly deadline?: number;
}

/** A document and the path of its PDF. */
interface Task {
  readonly file: string;
  readonly output: string;
}

/** Converts each document to PDF. Sets the exit code. */
export async function convert(
  io: CommandIo,
  files: readonly string[],
  flags: ConvertFlags,
): Promise<void> {
  const { tasks, folder } = await tasksOf(io, files, flags.out);
  for (const { output } of tasks) await refuseToReplace(io, output, files);
  const pdf = await pdfOptions(io, flags);
  await requireSoffice(io, flags.soffice);
  if (folder !== null) await prepareFolder(io, folder);
  const [only] = tasks;
  const converter = converterFor(io, {
    ...flags,
    ...(tasks.length === 1 ? { concurrency: 1 } : {}),
    pdf,
  });
  try {
    // If there is only one document, its error fails the command. If there are several, the others are still converted.
    if (tasks.length === 1 && only !== undefined) await convertOne(io, only, { converter });
    else await convertAll(io, tasks, converter);
  } finally {
    await converter.close();
  }
}

/** Chooses the path of each PDF. Rejects `invalid_request` if the output does not fit the documents. */
async function tasksOf(
  io: CommandIo,
  files: readonly string[],
  out: string,
): Promise<{ readonly tasks: readonly Task[]; readonly folder: string | null }> {
  const [file = ""] = files;
  const isFolder = await stat(pathIn(io, out)).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const extension = isFolder ? "" : extname(out).toLowerCase();
  if (extension === ".pdf") {
    if (files.length === 1) return { tasks: [{ file, output: out }], folder: null };
    throw new QuireError(
      "invalid_request",
      `--out ${JSON.stringify(out)} is one file, but there are ${files.length} documents. Name a folder, for example --out pdfs. To make one PDF of all, join them afterwards with quire merge.`,
    );
  }
  if (DOCUMENTS.has(extension)) {
    throw new QuireError(
      "invalid_request",
      `The output ${JSON.stringify(out)} must end in .pdf, or be a folder.`,
    );
  }
  return { tasks: inFolder(files, out), folder: out };
}

/** Extensions that no folder has. */
const DOCUMENTS = new Set([".docx", ".doc", ".dotx", ".docm", ".odt", ".rtf", ".txt", ".html"]);

function inFolder(files: readonly string[], folder: string): Task[] {
  const tasks = files.map((file) => ({ file, output: join(folder, `${stem(file)}.pdf`) }));
  // Some file systems ignore case.
  const taken = new Map<string, string>();
  for (const task of tasks) {
    const name = task.output.normalize("NFC").toLowerCase();
    const other = taken.get(name);
    if (other === task.file) {
      throw new QuireError(
        "invalid_request",
        `${JSON.stringify(other)} is named twice. Name each document once.`,
      );
    }
    if (other !== undefined) {
      throw new QuireError(
        "invalid_request",
        `${JSON.stringify(other)} and ${JSON.stringify(task.file)} would both be written to ${JSON.stringify(task.output)}. Convert them into separate folders.`,
      );
    }
    taken.set(name, task.file);
  }
  return tasks;
}

async function convertOne(
  io: CommandIo,
  { file, output }: Task,
  { converter, signal }: { readonly converter: Converter; readonly signal?: AbortSignal },
): Promise<void> {
  const bytes = await readInput(io, file);
  const document = await converter
    .convert(bytes, signal === undefined ? {} : { signal })
    .catch((error: unknown) => {
      throw isQuireError(error) ? withName(error, file) : error;
    });
  await replaceFile(io, output, document.bytes);
  for (const warning of document.warnings) {
    writeLine(io.stderr, `${warning.severity}: ${JSON.stringify(file)}: ${describe(warning)}`);
  }
  writeLine(io.stdout, output);
}

/** The maximum number of documents in memory, including documents that are waiting for the converter. */
const AT_ONCE = 16;

async function convertAll(
  io: CommandIo,
  tasks: readonly Task[],
  converter: Converter,
): Promise<void> {
  const interrupt = new AbortController();
  let exitCode: number = EXIT.completed;
  const ignoreStop = onStop(io, (code) => {
    if (interrupt.signal.aborted) io.exit(code);
    exitCode = code;
    interrupt.abort();
  });
  const { signal } = interrupt;
  let failed = 0;
  const waiting = tasks.values();
  const work = async (): Promise<void> => {
    for (const task of waiting) {
      if (signal.aborted) return;
      try {
        await convertOne(io, task, { converter, signal });
      } catch (error) {
        if (signal.aborted) return;
        if (!isQuireError(error)) throw error;
        failed += 1;
        writeLine(io.stderr, `${JSON.stringify(task.file)} failed:`);
        printError(io, error);
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    await converter.close(); // before the handlers are removed: a late signal must not interrupt the closing
    ignoreStop();
  }
  if (signal.aborted) {
    writeLine(io.stderr, "Interrupted: the remaining documents were not converted.");
    io.exitCode = exitCode;
  } else if (failed > 0) io.exitCode = EXIT.someErrors;
}
