import { randomUUID } from "node:crypto";
import {
  type Batch,
  type BatchRecord,
  createEngine,
  type Diagnostic,
  type Engine,
  type EngineOptions,
  isQuireError,
  type Job,
  type JobStore,
  QuireError,
  type StreamedBatchRequest,
} from "@quire/core";
import type { FileNames } from "../files/file-names.ts";
import { EXIT } from "../terminal/exit.ts";
import { count } from "../terminal/format.ts";
import { type CommandIo, rendererOf, writeLine } from "../terminal/io.ts";
import type { Progress } from "../terminal/progress.ts";
import { RunReport } from "../terminal/report.ts";
import { removeUnchanged } from "./documents.ts";
import type { RunEntries } from "./entries.ts";
import {
  countMissing,
  type FoundRun,
  findRun,
  openJournal,
  progressOf,
  waitForEnd,
} from "./journal.ts";
import type { RunOutput } from "./output.ts";
import type { RunPackets } from "./packet.ts";

/** Time to finish running documents after the first Ctrl-C. The second one stops them immediately. */
const GRACE_MS = 5000;

/** The inputs of a run. */
export interface Run {
  readonly entries: RunEntries;
  readonly request: Omit<StreamedBatchRequest, "document_generation_data">;
  /** Identifies the run. */
  readonly key: string;
  readonly journalPath: string;
  /** Whether to start over, even if the run was started before. */
  readonly force: boolean;
  readonly names: FileNames;
  readonly packets: RunPackets | null;
  readonly output: RunOutput;
  readonly engine: Omit<EngineOptions, "jobs" | "keepFinishedMs">;
  /** The output as named in the command. */
  readonly shownOut: string;
  readonly progress: Progress;
  /** Whether to print only problems. */
  readonly quiet: boolean;
  /** Whether to print a line for each document. */
  readonly verbose: boolean;
  /** The number of skipped blank rows in the data file. */
  readonly blankRows: number;
}

/** Generates the documents that a run still lacks, and reports on the whole run. Returns the exit code. */
export async function makeAll(io: CommandIo, run: Run): Promise<number> {
  const journal = openJournal(io, run.journalPath);
  let engine: Engine;
  let found: FoundRun;
  try {
    found = await findAndCheck(run, journal);
    engine = createEngine({
      ...run.engine,
      ...rendererOf(io),
      jobs: journal,
      keepFinishedMs: null,
    });
  } catch (error) {
    await Promise.all([journal.close(), run.engine.converter?.close()]);
    throw error;
  }
  const interrupt = new AbortController();
  let closing: Promise<void> | null = null;
  const onInterrupt = (): void => {
    const graceMs = interrupt.signal.aborted ? 0 : GRACE_MS;
    interrupt.abort();
    closing = engine.close({ graceMs });
    closing.catch(() => {});
  };
  io.signals.on("SIGINT", onInterrupt);
  io.signals.on("SIGTERM", onInterrupt);
  try {
    const report = new RunReport();
    const batchId = await work(engine, run, {
      io,
      journal,
      found,
      report,
      signal: interrupt.signal,
    });
    await (closing ?? engine.close());
    if (interrupt.signal.aborted) await countAll(io, run, { batchId, report });
    return await reportOutcome(io, { run, report, signal: interrupt.signal });
  } finally {
    await engine.close();
    io.signals.off("SIGINT", onInterrupt);
    io.signals.off("SIGTERM", onInterrupt);
  }
}

/** Finds the run in the journal. If all its documents were removed, starts it again. */
async function findAndCheck(run: Run, journal: JobStore): Promise<FoundRun> {
  const { journalPath: path, key, force } = run;
  const found = await findRun(journal, { path, key, force });
  if (found.type === "new") return found;
  const { counts } = found.batch;
  const made = counts.completed + counts.completed_with_error;
  const missing = made === 0 ? 0 : await countMissing(journal, found.batch, run.output);
  if (missing === 0) return found;
  if (missing === made) {
    if (found.type === "unfinished") await journal.cancelBatch(found.batch.id);
    return { type: "new", key: `${key}#${randomUUID()}`, replaced: [found.batch] };
  }
  throw new QuireError(
    "conflict",
    `${count(missing)} of the ${count(made)} documents in the journal ${JSON.stringify(path)} are no longer in ${JSON.stringify(run.shownOut)}. ` +
      "`quire verify` lists them. Put them back, or make all documents again with --new.",
  );
}

interface Work {
  readonly io: CommandIo;
  readonly journal: JobStore;
  readonly found: FoundRun;
  readonly report: RunReport;
  readonly signal: AbortSignal;
}

/** Works until the run is done or interrupted. Returns the id of its batch, or null if it has none. */
async function work(
  engine: Engine,
  run: Run,
  { io, journal, found, report, signal }: Work,
): Promise<string | null> {
  const { entries, names, packets, progress } = run;
  let before = 0;
  let batchId: string | null = null;
  try {
    const batch = await begin(engine, run, { io, journal, found, signal });
    batchId = batch.id;
    before = batch.before;
    progress.phase("making", { rate: true });
    for await (const job of engine.jobs(batchId)) {
      const isUnused = (each: Diagnostic) => !names.use(each) && !packets?.use(each);
      report.add({ ...job, warnings: job.warnings.filter(isUnused) });
      packets?.ended(job);
      const { total: done, failed } = report;
      // The jobs of earlier commands come first, all at once.
      if (done >= before) progress.update({ done, failed, total: batch.total });
      if (run.verbose && done > before) writeLine(io.stderr, lineOf(job));
    }
  } catch (error) {
    if (!signal.aborted) {
      if (batchId === null) throw error;
      report.broken(error);
    }
  }
  if (entries.failure !== null) report.broken(entries.failure);
  progress.finish();
  report.since(before);
  return batchId;
}

function lineOf({ entry, status, outputFile }: Job): string {
  return `entry ${entry}: ${outputFile === null ? status : outputFile.name}`;
}

/** Starts or resumes the run. `before` is the number of entries that were already done. */
async function begin(
  engine: Engine,
  { entries, request, output, progress }: Run,
  { io, journal, found, signal }: Omit<Work, "report">,
): Promise<{ readonly id: string; readonly total: number; readonly before: number }> {
  entries.onRead = (done, total) => progress.update({ done, total });
  if (found.type === "new") {
    if (found.replaced.length > 0) {
      progress.phase("checking");
      await entries.checkFirst();
      await waitForEnd(journal, found.replaced, { io, signal });
      progress.phase("removing replaced documents");
      await removeUnchanged(journal, found.replaced, output);
    }
    progress.phase("reading");
    const batch = await engine.createBatch(
      { ...request, document_generation_data: entries.requests() },
      { idempotencyKey: found.key, caller: output.path, signal },
    );
    return { id: batch.id, total: progressOf(batch).total, before: 0 };
  }
  const { id } = found.batch;
  const { done, total } = progressOf(found.batch);
  await entries.readAgain(total);
  if (found.type === "unfinished") {
    writeLine(io.stderr, `Resuming: ${count(done)} of ${count(total)} entries are already done.`);
    return { id, total, before: done };
  }
  const again = progressOf(await tryAgain(engine, id));
  writeLine(
    io.stderr,
    again.done === total
      ? "All entries are already done. Use --new to start over."
      : `Retrying ${count(total - again.done)} of ${count(total)} entries, which failed before.`,
  );
  return { id, total, before: again.done };
}

/** Retries failed jobs, unless another run of the same command is already doing so. */
async function tryAgain(engine: Engine, batchId: string): Promise<Batch> {
  try {
    return await engine.retryFailed(batchId);
  } catch (error) {
    if (!isQuireError(error) || error.code !== "conflict") throw error;
    return engine.getBatch(batchId);
  }
}

/** Updates the counts, because the engine may have finished documents while it was closing. */
async function countAll(
  io: CommandIo,
  run: Run,
  { batchId, report }: { readonly batchId: string | null; readonly report: RunReport },
): Promise<void> {
  if (batchId === null) return;
  const journal = openJournal(io, run.journalPath);
  try {
    const batch: BatchRecord | null = await journal.getBatch(batchId);
    if (batch !== null) report.counted(batch.counts);
  } finally {
    await journal.close();
  }
}

async function reportOutcome(
  io: CommandIo,
  {
    run,
    report,
    signal,
  }: { readonly run: Run; readonly report: RunReport; readonly signal: AbortSignal },
): Promise<number> {
  const { blankRows, quiet } = run;
  report.print(io, run.shownOut, { interrupted: signal.aborted, blankRows, quiet });
  let exitCode = report.exitCode();
  const { packets, output } = run;
  const isMerged = (await packets?.write(output.path, signal, run.progress)) ?? true;
  run.progress.finish();
  if (!isMerged) exitCode = EXIT.someErrors;
  return signal.aborted ? EXIT.interrupted : exitCode;
}
