import {
  type Batch,
  type BatchRecord,
  createEngine,
  type Diagnostic,
  type Engine,
  isQuireError,
  type Job,
  type JobStore,
  type QuireError,
} from "@quire/core";
import { EXIT } from "../terminal/exit.ts";
import { count } from "../terminal/format.ts";
import { type CommandIo, rendererOf, writeLine } from "../terminal/io.ts";
import { RunReport } from "../terminal/report.ts";
import { onStop } from "../terminal/stop-signals.ts";
import { chooseRun, earlierDocuments } from "./choose-run.ts";
import { removeUnchanged } from "./documents.ts";
import type { EarlierDocuments } from "./earlier-documents.ts";
import { type FoundRun, openJournal, progressOf, waitForEnd } from "./journal.ts";
import { batchKey } from "./key.ts";
import type { Run } from "./run-inputs.ts";
import { RunPauses } from "./run-pauses.ts";

/** Time to finish running documents after the first Ctrl-C. The second one stops them immediately. */
const GRACE_MS = 5000;

/** Maximum number of documents that a warning names. */
const MAX_NAMED = 10;

const IF_TAKEN =
  "To replace documents that earlier runs made, use --overwrite. To keep them, use --only-missing. To get other names, use --on-conflict rename or --name.";
const IF_TAKEN_IN_SHARD =
  "If another entry has the name, use --name, or --on-conflict rename for all shards. If a file in the folder has it, move the file away: a shard neither replaces a file nor chooses another name because of it.";
const IF_CHANGED =
  "Other programs wrote these files, or somebody has changed them since they were made: --overwrite never replaces such files. Move them away, and run the command again.";

/** Generates the documents that a run still lacks, and reports on the whole run. Returns the exit code. */
export async function makeAll(io: CommandIo, run: Run): Promise<number> {
  const journal = openJournal(io, run.journalPath);
  const pauses = new RunPauses(io, run.giveUpAfter, () => stop(EXIT.gaveUp, 0));
  let engine: Engine;
  let found: FoundRun;
  let earlier: EarlierDocuments | null;
  try {
    found = await chooseRun(run, journal);
    earlier = await earlierDocuments(run, journal, found);
    engine = createEngine({
      ...rendererOf(io),
      ...run.engine,
      storage: earlier?.replaceable(run.storage) ?? run.storage,
      jobs: journal,
      keepFinishedMs: null,
      maxPauseMs: null,
      onPause: pauses.onPause,
      onStoreFailure: (failure) => writeLine(io.stderr, storeLine(failure)),
    });
  } catch (error) {
    await Promise.all([journal.close(), run.engine.converter?.close()]);
    throw error;
  }
  const interrupt = new AbortController();
  let closing: Promise<void> | null = null;
  let exitCode: number = EXIT.interrupted;
  const stop = (code: number, graceMs: number): void => {
    exitCode = code;
    interrupt.abort();
    closing = engine.close({ graceMs });
    closing.catch(() => {});
  };
  const ignoreStop = onStop(io, (code) => stop(code, interrupt.signal.aborted ? 0 : GRACE_MS));
  try {
    const report = new RunReport();
    const batchId = await work(engine, run, {
      io,
      journal,
      found,
      earlier,
      report,
      signal: interrupt.signal,
    });
    await (closing ?? engine.close());
    // A process may have been killed while this run was already working.
    await run.output.tidy();
    if (interrupt.signal.aborted) await countAll(io, run, { batchId, report });
    const gaveUp = pauses.reason;
    const outcome = await reportOutcome(io, { run, report, signal: interrupt.signal, gaveUp });
    return interrupt.signal.aborted ? exitCode : outcome;
  } finally {
    pauses.end();
    await engine.close();
    ignoreStop();
  }
}

function storeLine(failure: QuireError | null): string {
  if (failure === null) return "The job store works again. The run continues.";
  return `The run waits: ${failure.message}`;
}

interface Work {
  readonly io: CommandIo;
  readonly journal: JobStore;
  readonly found: FoundRun;
  readonly earlier: EarlierDocuments | null;
  readonly report: RunReport;
  readonly signal: AbortSignal;
}

/** Works until the run is done or interrupted. Returns the id of the run's batch; null if it has no batch. */
async function work(
  engine: Engine,
  run: Run,
  { report, ...beginning }: Work,
): Promise<string | null> {
  const { io, signal } = beginning;
  const { entries, names, packets, progress } = run;
  let before = 0;
  let batchId: string | null = null;
  try {
    const batch = await begin(engine, run, beginning);
    batchId = batch.id;
    before = batch.before;
    const { total } = batch;
    progress.phase("making", { rate: true, from: { done: before, total } });
    for await (const made of engine.jobs(batchId)) {
      const job = { ...made, entry: entries.numberOf(made.entry) };
      const isUnused = (each: Diagnostic) =>
        !(names.use(each) || packets?.use(each) || run.isUsedToChoose(each));
      report.add({ ...job, warnings: job.warnings.filter(isUnused) });
      packets?.ended(job);
      const { total: done, failed } = report;
      // The jobs that earlier commands finished come first, all at once.
      if (done >= before) progress.update({ done, failed, total });
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
  run: Run,
  { io, journal, found, earlier, signal }: Omit<Work, "report">,
): Promise<{ readonly id: string; readonly total: number; readonly before: number }> {
  const { entries, request, output, progress, reuse } = run;
  entries.onRead = (done, total) => progress.update({ done, total });
  if (found.type === "new") {
    if (found.replaced.length > 0) {
      progress.phase("checking");
      await entries.checkFirst();
    }
    await waitForEnd(journal, found.cancelled, { io, signal });
    if (found.replaced.length > 0) {
      progress.phase("removing replaced documents");
      await removeUnchanged(journal, found.replaced, output);
    }
    progress.phase("reading");
    const isReused = reuse !== null && earlier !== null;
    const batch = await engine.createBatch(
      { ...request, document_generation_data: entries.requests() },
      {
        idempotencyKey: batchKey(run.key, found.number, isReused),
        caller: output.path,
        signal,
        ...(entries.part !== null && { part: entries.part }),
        ...(isReused && {
          earlierResult: earlier.resultOf(reuse, run.key.make, run.dataFolder),
        }),
      },
    );
    const { total } = progressOf(batch);
    const kept = isReused ? progressOf(batch).done : 0;
    if (kept > 0) writeLine(io.stderr, keeping(kept, total));
    if (isReused && run.key.chosen === null) await reportLeftovers(io, earlier, run.shownOut);
    return { id: batch.id, total, before: kept };
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

/** Names the documents of removed entries, because somebody may send all documents in the folder. */
async function reportLeftovers(
  io: CommandIo,
  earlier: EarlierDocuments,
  out: string,
): Promise<void> {
  const names = await earlier.withoutEntry(MAX_NAMED + 1);
  if (names.length === 0) return;
  const more = names.length > MAX_NAMED ? ", …" : "";
  const listed = names.slice(0, MAX_NAMED).map((name) => JSON.stringify(name));
  writeLine(
    io.stderr,
    `warning: ${out} also contains documents of earlier runs that have no entry in the data: ${listed.join(", ")}${more}. They were kept.`,
  );
}

function keeping(kept: number, total: number): string {
  return kept === total
    ? "All documents exist and are up to date."
    : `Keeping ${count(kept)} of ${count(total)} documents, which exist and are up to date.`;
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
    gaveUp,
  }: {
    readonly run: Run;
    readonly report: RunReport;
    readonly signal: AbortSignal;
    /** Why the run gave up, as a sentence; null if it did not. */
    readonly gaveUp: string | null;
  },
): Promise<number> {
  const { blankRows, quiet, reuse, dry } = run;
  const ifTakenNow = run.key.shard === null ? IF_TAKEN : IF_TAKEN_IN_SHARD;
  const ifTaken = reuse === null ? ifTakenNow : IF_CHANGED;
  if (!quiet) dry?.print(io);
  if (!quiet && dry !== null) run.packets?.print();
  report.print(io, run.shownOut, {
    interrupted: signal.aborted && gaveUp === null,
    blankRows,
    quiet,
    ifTaken,
    isDry: dry !== null,
    joining: run.engine.converter?.joining?.() ?? null,
  });
  let exitCode = report.exitCode();
  const { output } = run;
  const packets = dry === null ? run.packets : null;
  const isMerged = (await packets?.write(output.path, signal, run.progress)) ?? true;
  run.progress.finish();
  if (!isMerged) exitCode = EXIT.someErrors;
  if (gaveUp !== null) writeLine(io.stderr, gaveUp);
  return exitCode;
}
