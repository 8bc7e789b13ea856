import { extname } from "node:path";
import {
  createPacket,
  isQuireError,
  type PacketPages,
  type PacketSummary,
  QuireError,
} from "@quire/core";
import {
  badOutput,
  readInput,
  refuseToReplace,
  replaceFileWith,
  stem,
} from "../files/command-files.ts";
import { commandLine } from "../terminal/command-line.ts";
import { EXIT } from "../terminal/exit.ts";
import { type CommandIo, writeLine } from "../terminal/io.ts";
import { describe, printError } from "../terminal/print-error.ts";
import { createProgress } from "../terminal/progress.ts";

/** The flags of `quire merge`. */
export interface MergeOptions {
  readonly out: string;
  readonly title?: string;
  readonly nameFrom: "file" | "title";
  readonly duplex?: true;
  readonly keepGoing?: true;
  readonly json?: true;
}

interface Source extends PacketPages {
  readonly file: string;
}

/** Merges the PDFs into one. Sets the exit code. */
export async function merge(
  io: CommandIo,
  files: readonly string[],
  options: MergeOptions,
): Promise<void> {
  const { out: output } = options;
  if (extname(output).toLowerCase() !== ".pdf") throw badOutput(io, output, [".pdf"]);
  const word = files.find((file) => /\.(?:docx?|dotx|docm|odt)$/i.test(file));
  if (word !== undefined && options.keepGoing !== true) {
    const right = commandLine(["convert", word, "--out", `${stem(word)}.pdf`]);
    throw new QuireError(
      "invalid_request",
      `${JSON.stringify(word)} is not a PDF, so it cannot be merged. Convert it first: \`${right}\`.`,
    );
  }
  await refuseToReplace(io, output, files);
  const refusals: { readonly file: string; readonly error: QuireError }[] = [];
  const sources: Source[] = [];
  const progress = createProgress(io, { quiet: !io.stderr.isTTY });
  progress.phase("merging", { rate: true });
  const merging = replaceFileWith(io, output, async (write) => {
    const packet = createPacket(write, { title: options.title, evenPages: options.duplex });
    for (const file of files) {
      try {
        const entry = { title: stem(file), name: file, useOwnTitle: options.nameFrom === "title" };
        sources.push({ file, ...(await packet.add(await readInput(io, file), entry)) });
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refusals.push({ file, error });
      }
      const [done, failed] = [sources.length + refusals.length, refusals.length];
      progress.update({ done, failed, total: files.length });
    }
    // Throwing keeps the existing file. The refusals are printed instead of this error.
    if (refusals.length > 0 && (options.keepGoing !== true || sources.length === 0)) {
      throw new Refused();
    }
    return packet.finish();
  });
  const summary = await merging
    .catch((error: unknown) => {
      if (error instanceof Refused) return null;
      throw error;
    })
    .finally(() => progress.finish());
  printOutcome(io, { output, sources, refusals, summary }, options.json === true);
}

class Refused extends Error {}

/** Whether an error concerns only one file, so that the others can be merged. */
function isRefusal(error: unknown): error is QuireError {
  return isQuireError(error) && (error.code === "invalid_data" || error.code === "not_found");
}

interface Outcome {
  readonly output: string;
  readonly sources: readonly Source[];
  readonly refusals: readonly { readonly file: string; readonly error: QuireError }[];
  /** Null if nothing was written. */
  readonly summary: PacketSummary | null;
}

function printOutcome(io: CommandIo, outcome: Outcome, json: boolean): void {
  const { output, refusals, summary } = outcome;
  if (json) printJson(io, outcome);
  else {
    for (const { error } of refusals) printError(io, error);
    for (const warning of summary?.warnings ?? [])
      writeLine(io.stderr, `warning: ${describe(warning)}`);
    if (summary === null) writeLine(io.stderr, `quire: ${JSON.stringify(output)} was not written.`);
    else writeLine(io.stdout, output);
  }
  if (summary === null) io.exitCode = EXIT.nothingRan;
  else if (refusals.length > 0) io.exitCode = EXIT.someErrors;
}

function printJson(io: CommandIo, { output, sources, refusals, summary }: Outcome): void {
  const print = (line: object) => writeLine(io.stdout, JSON.stringify(line));
  for (const { file, error } of refusals) {
    const { code, message } = error;
    print({ type: "problem", file, severity: "error", code, message });
  }
  if (summary === null) return;
  for (const warning of summary.warnings) print({ type: "problem", file: null, ...warning });
  for (const { file, title, firstPage, pages } of sources) {
    print({ type: "source", file, title, first_page: firstPage, pages });
  }
  const { entries, pages, bytes } = summary;
  print({ type: "summary", output, sources: entries, refused: refusals.length, pages, bytes });
}
