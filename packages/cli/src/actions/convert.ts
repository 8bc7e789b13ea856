import { extname, join } from "node:path";
import { type Converter, isQuireError, QuireError } from "@quire/core/host";
import {
  prepareFolder,
  readInput,
  refuseToReplace,
  replaceFile,
  stem,
} from "../files/command-files.ts";
import { converterFor, requireSoffice } from "../files/soffice.ts";
import type { PdfFlags } from "../options/pdf.ts";
import { EXIT } from "../terminal/exit.ts";
import { type CommandIo, writeLine } from "../terminal/io.ts";
import { describe, printError } from "../terminal/print-error.ts";
import { pdfOptions } from "./pdf-options.ts";

/** The flags of `quire convert`. */
export interface ConvertFlags extends PdfFlags {
  readonly output?: string;
  readonly out?: string;
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
  const tasks = tasksOf(files, flags);
  for (const { output } of tasks) await refuseToReplace(io, output, files);
  const pdf = await pdfOptions(io, flags);
  await requireSoffice(io, flags.soffice);
  if (flags.out !== undefined) await prepareFolder(io, flags.out);
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

/** Chooses the path of each PDF. Throws `invalid_request` if the options do not determine it. */
function tasksOf(files: readonly string[], { output, out }: ConvertFlags): Task[] {
  const [file = ""] = files;
  if ((output === undefined) === (out === undefined)) {
    throw new QuireError(
      "invalid_request",
      "Choose the output: a file with -o for one document, or a folder with --out for several.",
    );
  }
  if (output !== undefined) {
    if (files.length > 1) {
      throw new QuireError(
        "invalid_request",
        "-o takes only one document. Choose a folder with --out, then join the PDFs with quire merge.",
      );
    }
    if (extname(output).toLowerCase() === ".pdf") return [{ file, output }];
    throw new QuireError(
      "invalid_request",
      `The output ${JSON.stringify(output)} must end in .pdf.`,
    );
  }
  const tasks = files.map((each) => ({ file: each, output: join(out ?? "", `${stem(each)}.pdf`) }));
  // Some file systems ignore case.
  const taken = new Map<string, string>();
  for (const task of tasks) {
    const name = task.output.normalize("NFC").toLowerCase();
    const other = taken.get(name);
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
  const document = await converter.convert(bytes, signal === undefined ? {} : { signal });
  await replaceFile(io, output, document.bytes);
  for (const warning of document.warnings) {
    writeLine(io.stderr, `${warning.severity}: ${JSON.stringify(file)}: ${describe(warning)}`);
  }
  writeLine(io.stdout, output);
}

/** The maximum number of documents in memory: those that are being converted, and those that wait for the converter. */
const AT_ONCE = 16;

async function convertAll(
  io: CommandIo,
  tasks: readonly Task[],
  converter: Converter,
): Promise<void> {
  const interrupt = new AbortController();
  const onInterrupt = (): void => interrupt.abort();
  io.signals.once("SIGINT", onInterrupt);
  io.signals.once("SIGTERM", onInterrupt);
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
    io.signals.off("SIGINT", onInterrupt);
    io.signals.off("SIGTERM", onInterrupt);
  }
  if (signal.aborted) {
    writeLine(io.stderr, "Interrupted: the remaining documents were not converted.");
    io.exitCode = EXIT.interrupted;
  } else if (failed > 0) io.exitCode = EXIT.someErrors;
}
