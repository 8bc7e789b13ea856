import {
  type Compression,
  type ConflictPolicy,
  createEngine,
  type Diagnostic,
  type Engine,
  isQuireError,
  type OutputType,
  QuireError,
} from "@quire/core";
import { Command, InvalidArgumentError, Option } from "commander";
import { type DataEntry, type DataSource, noEntries } from "../data/entry.ts";
import { openData } from "../data/open.ts";
import { EXIT } from "../exit.ts";
import { type FileNames, fileNames } from "../file-names.ts";
import { prepareFolder, stem } from "../files.ts";
import { type PacketFlags, type RunPackets, runPackets, withPacketOption } from "../packet.ts";
import { assertNoPdfOptions, type PdfFlags, pdfOptions, withPdfOptions } from "../pdf-options.ts";
import {
  assertPrintable,
  type CompileFlags,
  delimitersOption,
  type PrintFlags,
  renderOptions,
  withPrintOptions,
} from "../print-options.ts";
import { runStorage } from "../run-storage.ts";
import { converterFor, requireSoffice, sofficeOption } from "../soffice.ts";
import { assertForm, loadTemplate } from "../template.ts";
import { createProgress } from "../terminal/progress.ts";
import { RunReport } from "../terminal/report.ts";

/** With `--to pdf` each is a LibreOffice process, far more than any machine has use for. */
const MAX_CONCURRENCY = 256;

interface RunOptions extends PrintFlags, CompileFlags, PacketFlags, PdfFlags {
  readonly data: string;
  readonly to: OutputType;
  readonly out: string;
  readonly name?: string;
  readonly concurrency?: number;
  readonly soffice?: string;
  readonly onConflict: ConflictPolicy;
  readonly compression: Compression;
  readonly flatten?: true;
}

/** `quire run`: a batch from local files. */
export function runCommand(): Command {
  const command = new Command("run")
    .description("Make one document for each entry of a data file.")
    .argument("<template>", "the template: a .docx file, or a .pdf file with form fields")
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
      "documents in work at once, and LibreOffice processes (default: by the cores)",
      concurrency,
    )
    .addOption(
      new Option("--on-conflict <policy>", "when a file name is taken")
        .choices(["fail", "rename"])
        .default("fail"),
    );
  withPacketOption(command);
  return withPdfOptions(withPrintOptions(command))
    .addOption(
      new Option(
        "--compression <kind>",
        "for docx: small, fast (some 25 % larger), or template (fastest for many entries)",
      )
        .choices(["small", "fast", "template"])
        .default("small"),
    )
    .option("--flatten", "of a PDF form: its fields become plain content")
    .addOption(delimitersOption())
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
  const loaded = await loadTemplate(template, options);
  const print = renderOptions(options);
  assertPrintable(loaded.template, print);
  const names = fileNames(options.name, stem(template), print);
  const pdf = await pdfOptions(options);
  if (options.to !== "pdf") assertNoPdfOptions(pdf);
  if (loaded.isForm) assertForm(`.${options.to}`, pdf);
  const converts = options.to === "pdf" && !loaded.isForm;
  const source = await openData(options.data);
  if (converts) await requireSoffice(options.soffice);
  const total = await source.count();
  if (total === 0) throw noEntries(options.data);
  await prepareFolder(options.out);
  const inputs = [template, options.data];
  const packets = await runPackets(options, { to: options.to, inputs, print, pdf });
  const place = runStorage(loaded, options.data, options.out);
  const engine = createEngine({
    storage: place.storage,
    ...(converts ? { converter: converterFor({ ...options, pdf }) } : {}),
    ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
  });
  const interrupt = new AbortController();
  const onInterrupt = (): void => interrupt.abort();
  process.once("SIGINT", onInterrupt);
  process.once("SIGTERM", onInterrupt);
  try {
    const report = await makeAll(engine, {
      request: {
        file: place.template,
        input_source: "api",
        destination_folder: place.out,
        output_type: options.to,
        document_generation_data: named(source, total, names, packets),
        on_conflict: options.onConflict,
        on_missing: print.onMissing,
        locale: print.locale,
        time_zone: print.timeZone,
        compression: options.compression,
        flatten: options.flatten,
        delimiters: options.delimiters,
        ...(loaded.isForm ? { pdf: { metadata: pdf?.metadata } } : {}),
      },
      signal: interrupt.signal,
      total,
      names,
      packets,
    });
    report.print(options.out, interrupt.signal.aborted);
    process.exitCode = report.exitCode();
    if (packets !== null && !(await packets.write(options.out, interrupt.signal))) {
      process.exitCode = EXIT.someErrors;
    }
    if (interrupt.signal.aborted) process.exitCode = EXIT.interrupted;
  } finally {
    await engine.close(); // a signal that comes late does not leave it half closed
    process.off("SIGINT", onInterrupt);
    process.off("SIGTERM", onInterrupt);
  }
}

interface Work {
  readonly request: Parameters<Engine["createBatch"]>[0];
  readonly signal: AbortSignal;
  readonly total: number | null;
  readonly names: FileNames;
  readonly packets: RunPackets | null;
}

async function makeAll(
  engine: Engine,
  { request, signal, total, names, packets }: Work,
): Promise<RunReport> {
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
      const isUnused = (each: Diagnostic) => !names.use(each) && !packets?.use(each);
      report.add({ ...job, warnings: job.warnings.filter(isUnused) });
      packets?.ended(job);
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
  total: number | null,
  names: FileNames,
  packets: RunPackets | null,
): AsyncGenerator<unknown, void, undefined> {
  const digits = String(total ?? "").length;
  let number = 0;
  for await (const { entry } of source.items()) {
    number += 1;
    packets?.read(number, entry);
    yield isQuireError(entry) ? entry : request(entry, names, String(number).padStart(digits, "0"));
  }
}

function request(entry: DataEntry, names: FileNames, number: string): unknown {
  const { data, locale, timeZone } = entry;
  try {
    const name = names.of(entry, number);
    return { generated_file_name: name, user_input: data, locale, time_zone: timeZone };
  } catch (error) {
    if (isQuireError(error)) return error;
    throw error;
  }
}
