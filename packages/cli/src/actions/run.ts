import { dirname, resolve } from "node:path";
import {
  type Compression,
  type ConflictPolicy,
  type OutputType,
  QuireError,
  type RenderOptions,
  renderPool,
} from "@quire/core";
import { dataKey } from "../data/data-options.ts";
import { stem } from "../files/command-files.ts";
import { withDataFile } from "../files/data-file.ts";
import { fileNames } from "../files/file-names.ts";
import { besideFile } from "../files/folder-files.ts";
import { noTags } from "../files/no-tags.ts";
import { hashOfFonts, svgFontsIn } from "../files/svg-fonts.ts";
import { refuseSwapped } from "../files/swapped.ts";
import { assertForm, loadTemplate } from "../files/template.ts";
import type { DataFlags } from "../options/data.ts";
import type { PacketFlags } from "../options/packet.ts";
import type { PdfFlags } from "../options/pdf.ts";
import type { CompileFlags, PrintFlags } from "../options/print.ts";
import type { RerunFlags } from "../options/rerun.ts";
import type { SelectionFlags } from "../options/selection.ts";
import type { ShardFlags } from "../options/shard.ts";
import type { VerbosityFlags } from "../options/verbosity.ts";
import { type CheckPolicy, RunCheck } from "../run/check.ts";
import { DryRun } from "../run/dry-run.ts";
import type { ReusePolicy } from "../run/earlier-documents.ts";
import { RunEntries } from "../run/entries.ts";
import { runKey } from "../run/key.ts";
import { makeAll } from "../run/make-all.ts";
import { openOutput, outputAt, type RunOutput } from "../run/output.ts";
import { runPackets } from "../run/packet.ts";
import type { Run } from "../run/run-inputs.ts";
import { runStorage } from "../run/run-storage.ts";
import { assertCanShard, partOf, shardJournal } from "../run/shard.ts";
import { shardStorage } from "../run/shard-storage.ts";
import { type CommandIo, pathIn, writeLine } from "../terminal/io.ts";
import { describe } from "../terminal/print-error.ts";
import { createProgress, type Progress } from "../terminal/progress.ts";
import { openData } from "./open-data.ts";
import { assertNoPdfOptions, pdfOptions } from "./pdf-options.ts";
import { assertPrintable, renderOptions } from "./print-options.ts";
import { selectEntries } from "./select-entries.ts";

/** The flags of `quire run`. */
export interface RunOptions
  extends DataFlags,
    PrintFlags,
    CompileFlags,
    PacketFlags,
    PdfFlags,
    RerunFlags,
    SelectionFlags,
    ShardFlags,
    VerbosityFlags {
  readonly data: string;
  readonly to: OutputType;
  readonly out: string;
  readonly name?: string;
  readonly concurrency?: number;
  readonly soffice?: string;
  readonly deadline?: number;
  readonly onConflict: ConflictPolicy;
  readonly compression: Compression;
  readonly flatten?: true;
  readonly dryRun?: true;
  /** False with `--no-check`. */
  readonly check: CheckPolicy | false;
}

/** Generates a document for each entry, or resumes an interrupted run. Sets the exit code. */
export async function run(io: CommandIo, template: string, options: RunOptions): Promise<void> {
  const progress = createProgress(io, { quiet: options.quiet });
  try {
    io.exitCode = await withDataFile(io, options, (dataPath) =>
      makeDocuments(progress, { template, dataPath }, options),
    );
  } finally {
    progress.finish();
  }
}

/** The files that a run reads. */
interface InputFiles {
  readonly template: string;
  /** The path of the data file, or of a copy if the command names a pipe. */
  readonly dataPath: string;
}

async function makeDocuments(
  progress: Progress,
  files: InputFiles,
  options: RunOptions,
): Promise<number> {
  const { io } = progress;
  refuseSwapped(io, files.template, options.data);
  if (options.shard !== undefined) assertCanShard(options);
  // Problems that would make every entry fail are reported before the first entry.
  const inputs = await openInputs(io, files, options);
  if (!options.dryRun) {
    const output = await openOutput(io, options.out);
    const journalPath = journalOf(output, options);
    return makeAll(io, await runOf(progress, inputs, { output, journalPath, dry: null }));
  }
  const real = await outputAt(io, options.out);
  const dry = await DryRun.open(io, real, journalOf(real, options));
  try {
    const { output, journalPath } = dry;
    return await makeAll(io, await runOf(progress, inputs, { output, journalPath, dry }));
  } finally {
    await dry.close();
  }
}

function journalOf({ journal }: RunOutput, { journal: own, shard }: RunOptions): string {
  return own ?? (shard === undefined ? journal : shardJournal(journal, shard));
}

/** Opens everything that a run reads. Problems that would make every entry fail are reported here. */
async function openInputs(
  io: CommandIo,
  { template: path, dataPath }: InputFiles,
  options: RunOptions,
) {
  const loaded = await loadTemplate(io, path, options);
  const untagged = noTags(loaded, options);
  if (untagged !== null) writeLine(io.stderr, `warning: ${describe(untagged)}`);
  const print = renderOptions(options);
  assertPrintable(loaded.template, print);
  const names = fileNames(options.name, stem(path), print);
  const pdf = await pdfOptions(io, options);
  if (options.to !== "pdf") assertNoPdfOptions(pdf);
  if (loaded.isForm) assertForm(`.${options.to}`, pdf);
  const converts = options.to === "pdf" && !loaded.isForm;
  const svgFonts = await svgFontsIn(io, options.svgFonts);
  const file = await openData(io, dataPath, { flags: options });
  const office = converts ? await import("../files/soffice.ts") : null;
  await office?.requireSoffice(io, options.soffice);
  return { path, dataPath, options, loaded, print, names, pdf, svgFonts, file, office };
}

interface RunPlace {
  readonly output: RunOutput;
  readonly journalPath: string;
  readonly dry: DryRun | null;
}

async function runOf(
  progress: Progress,
  inputs: Awaited<ReturnType<typeof openInputs>>,
  { output, journalPath, dry }: RunPlace,
): Promise<Run> {
  const { io } = progress;
  const { options, loaded, print, names, pdf, svgFonts, file, office } = inputs;
  if (output.isBucket && options.packet !== undefined) throw noPacket();
  const packets = await runPackets(io, options, {
    to: options.to,
    inputs: [inputs.path, options.data],
    print,
    pdf,
  });
  const users = [loaded.template, names, ...(packets === null ? [] : [packets])];
  const selection = await selectEntries(progress, file, options, {
    path: options.data,
    users,
    timeZone: print.timeZone,
  });
  const { shard } = options;
  const { total, chosen } = selection;
  const size = total === null ? null : (chosen?.size ?? total);
  const part = shard === undefined ? null : partOf(shard, size, options.data);
  const place = runStorage(io, loaded, { data: options.data, output: output.storage });
  const readFile = besideFile(io, options.data);
  const context = { template: loaded.template, options: print, readFile, names, svgFonts };
  const check = options.check === false ? null : new RunCheck(io, context, options.check);
  const settings = {
    destination_folder: output.folder,
    ...settingsOf(options, print),
    ...(loaded.isForm ? { pdf: { metadata: pdf?.metadata } } : {}),
  };
  const name = options.name ?? stem(inputs.path);
  const data = dataKey(options);
  const images = resolve(io.cwd, dirname(options.data));
  const fonts = hashOfFonts(svgFonts);
  return {
    entries: new RunEntries(file.entries(users), { ...selection, part }, { names, packets, check }),
    request: { ...settings, file: place.template, input_source: "api" },
    key: await runKey({
      template: loaded,
      dataPath: pathIn(io, inputs.dataPath),
      making: { ...settings, pdf, out: output.path, images, fonts },
      all: { ...settings, pdf, name, out: output.path, images, data, fonts },
      portable: { ...settings, pdf, name, data, fonts },
      chosen,
      share: shard === undefined || part === null ? null : { shard, part },
    }),
    journalPath,
    dry,
    force: options.new === true,
    reuse: reuseOf(options),
    dataFolder: images,
    storage: shard === undefined ? place.storage : shardStorage(place.storage),
    names,
    isUsedToChoose: selection.use,
    packets,
    output,
    engine: {
      ...(office === null ? {} : { converter: office.converterFor(io, { ...options, pdf }) }),
      ...(svgFonts === undefined ? {} : { renderer: renderPool({ svgFonts }) }),
      ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
    },
    progress,
    giveUpAfter: options.giveUpAfter ?? null,
    quiet: options.quiet === true,
    verbose: options.verbose === true,
    shownOut: options.out,
    blankRows: selection.blankRows,
  };
}

function reuseOf({ overwrite, onlyMissing }: RunOptions): ReusePolicy | null {
  if (overwrite) return "overwrite";
  return onlyMissing ? "missing" : null;
}

/** Returns the part of the request that the flags set. This part belongs to the run's key. */
function settingsOf(options: RunOptions, print: RenderOptions) {
  return {
    output_type: options.to,
    on_conflict: options.onConflict,
    on_missing: print.onMissing,
    // The default is omitted, so that the key is the same as before this option existed.
    rich_text: print.richText === "detected" ? undefined : print.richText,
    locale: print.locale,
    time_zone: print.timeZone,
    now: options.now,
    compression: options.compression,
    flatten: options.flatten,
    delimiters: options.delimiters,
  };
}

function noPacket(): QuireError {
  return new QuireError(
    "invalid_request",
    "--packet cannot merge documents in a bucket. Write the documents to a folder, or use quire merge.",
  );
}
