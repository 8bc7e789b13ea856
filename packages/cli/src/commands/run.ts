import {
  type ConflictPolicy,
  compileTemplate,
  compileText,
  createEngine,
  type Engine,
  isQuireError,
  type OutputType,
  QuireError,
  type TextTemplate,
} from "@quire/core";
import { fsStorage } from "@quire/storage-fs";
import { Command, InvalidArgumentError, Option } from "commander";
import type { DataEntry, DataSource } from "../data/entry.ts";
import { openData } from "../data/open.ts";
import { EXIT } from "../exit.ts";
import { prepareFolder, readInput, sharedRoot, stem } from "../files.ts";
import { converterFor, requireSoffice, sofficeOption } from "../soffice.ts";
import { createProgress } from "../terminal/progress.ts";
import { RunReport } from "../terminal/report.ts";

/** With `--to pdf` each is a LibreOffice process, far more than any machine has use for. */
const MAX_CONCURRENCY = 256;

interface RunOptions {
  readonly data: string;
  readonly to: OutputType;
  readonly out: string;
  readonly name?: string;
  readonly concurrency?: number;
  readonly soffice?: string;
  readonly onConflict: ConflictPolicy;
}

/** `quire run`: a batch from local files. */
export function runCommand(): Command {
  return new Command("run")
    .description("Make one document for each entry of a data file.")
    .argument("<template>", "the template, a .docx file")
    .requiredOption(
      "--data <file>",
      "the entries: .json, .jsonl or .csv (the last two are streamed)",
    )
    .addOption(
      new Option("--to <type>", "what to make").choices(["docx", "pdf"]).makeOptionMandatory(),
    )
    .requiredOption("--out <folder>", "where the documents go; made if it is not there")
    .option("--name <pattern>", "the file names, for example '{{customer.id}}-{{date}}'")
    .option(
      "--concurrency <n>",
      "documents in work at once (default: the number of cores)",
      concurrency,
    )
    .addOption(
      new Option("--on-conflict <policy>", "when a file name is taken")
        .choices(["fail", "rename"])
        .default("fail"),
    )
    .addOption(sofficeOption())
    .action(run);
}

function concurrency(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || number > MAX_CONCURRENCY) {
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_CONCURRENCY}.`);
  }
  return number;
}

async function run(template: string, options: RunOptions): Promise<void> {
  // Whatever would make every entry fail is told before the first one.
  await compileTemplate(await readInput(template));
  const pattern = options.name === undefined ? null : compileName(options.name);
  const source = await openData(options.data);
  if (options.to === "pdf") await requireSoffice(options.soffice);
  const total = await source.count();
  if (total === 0) {
    throw new QuireError(
      "invalid_data",
      `The data file ${JSON.stringify(options.data)} holds no entries.`,
    );
  }
  await prepareFolder(options.out);
  const place = await sharedRoot(template, options.out);
  const engine = createEngine({
    storage: fsStorage({ root: place.root }),
    ...(options.to === "pdf" ? { converter: converterFor(options) } : {}),
    ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
  });
  const interrupt = new AbortController();
  const onInterrupt = (): void => interrupt.abort();
  process.once("SIGINT", onInterrupt);
  process.once("SIGTERM", onInterrupt);
  try {
    const report = await makeAll(engine, {
      request: {
        file: { type: "file", id: place.fileId },
        input_source: "api",
        destination_folder: { type: "folder", id: place.folderId },
        output_type: options.to,
        document_generation_data: named(source, pattern, stem(template), total),
        on_conflict: options.onConflict,
      },
      signal: interrupt.signal,
      total,
    });
    report.print(options.out, interrupt.signal.aborted);
    process.exitCode = interrupt.signal.aborted ? EXIT.interrupted : report.exitCode();
  } finally {
    process.off("SIGINT", onInterrupt);
    process.off("SIGTERM", onInterrupt);
    await engine.close();
  }
}

function compileName(pattern: string): TextTemplate {
  if (pattern.trim() === "") {
    throw new QuireError(
      "invalid_request",
      "The --name pattern is empty. Give one, or leave it out.",
    );
  }
  try {
    return compileText(pattern);
  } catch (error) {
    if (!isQuireError(error)) throw error;
    throw new QuireError(
      error.code,
      `The file names cannot be made of --name ${JSON.stringify(pattern)}.`,
      { diagnostics: error.diagnostics },
    );
  }
}

interface Work {
  readonly request: Parameters<Engine["createBatch"]>[0];
  readonly signal: AbortSignal;
  readonly total: number | null;
}

async function makeAll(engine: Engine, { request, signal, total }: Work): Promise<RunReport> {
  const report = new RunReport();
  const progress = createProgress(process.stderr);
  const state = () => ({ done: report.total, failed: report.failed, total });
  const batch = await engine.createBatch(request, { signal }).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  if (batch === null) return report;
  try {
    for await (const job of engine.jobs(batch.id)) {
      report.add(job);
      progress.update(state());
    }
    if (total !== null && report.total < total) report.broken(shrunk(report.total, total));
  } catch (error) {
    if (!signal.aborted) report.broken(error);
  }
  progress.finish(state());
  return report;
}

function shrunk(read: number, counted: number): QuireError {
  return new QuireError(
    "invalid_data",
    `The data file held ${counted} entries when the run began and gave only ${read}: it was changed meanwhile. Leave it alone and run the rest again.`,
  );
}

/** The entries as the engine takes them, each with its file name. */
async function* named(
  source: DataSource,
  pattern: TextTemplate | null,
  base: string,
  total: number | null,
): AsyncGenerator<unknown, void, undefined> {
  const digits = String(total ?? "").length;
  let number = 0;
  for await (const entry of source.entries()) {
    number += 1;
    if (isQuireError(entry)) yield entry;
    else yield withName(entry, pattern, `${base}-${String(number).padStart(digits, "0")}`);
  }
}

function withName(
  { data, name }: DataEntry,
  pattern: TextTemplate | null,
  fallback: string,
): unknown {
  try {
    const fileName = pattern === null ? (name ?? fallback) : pattern.render(data);
    return { generated_file_name: fileName, user_input: data };
  } catch (error) {
    if (!isQuireError(error)) throw error;
    return new QuireError(error.code, `The file name cannot be made. ${error.message}`, {
      diagnostics: error.diagnostics.map((each) => ({
        ...each,
        message: `File name: ${each.message}`,
      })),
    });
  }
}
