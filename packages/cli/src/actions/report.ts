import type { BatchRecord, JobRecord, JobStore } from "@quire/core";
import { type CurrentBatch, currentBatches, openKnownJournal, progressOf } from "../run/journal.ts";
import { batchesOf, jobsOf } from "../run/journal-pages.ts";
import { numbering } from "../run/key.ts";
import { count } from "../terminal/format.ts";
import { type CommandIo, writeLine } from "../terminal/io.ts";
import { describe, oneLine } from "../terminal/print-error.ts";

/** Maximum number of entries that a message lists. */
const MAX_SHOWN = 20;

/** Maximum number of entries whose errors are printed without a flag. */
const MAX_REASONS = 5;

/** The flags of `quire report`. */
export interface ReportOptions {
  readonly failed?: true;
  readonly json?: true;
}

/** Prints the batches or the entries of a journal. */
export async function report(io: CommandIo, path: string, options: ReportOptions): Promise<void> {
  const journal = await openKnownJournal(io, path);
  try {
    if (options.failed) {
      for await (const batch of currentBatches(journal)) await printFailed(io, journal, batch);
      return;
    }
    for await (const batch of batchesOf(journal)) {
      if (options.json) await printJobs(io, journal, batch);
      else {
        printBatch(io, batch);
        await printReasons(io, journal, batch);
      }
    }
  } finally {
    await journal.close();
  }
}

/** Prints the failed entries with their original data. Reports entries without stored data on standard error. */
async function printFailed(
  io: CommandIo,
  journal: JobStore,
  { batch, jobs }: CurrentBatch,
): Promise<void> {
  const numberOf = numbering(batch);
  const without: number[] = [];
  for await (const { entry, requestedName } of jobs("failed")) {
    const found = await journal.getJob(batch.id, entry);
    const input = found?.input ?? null;
    if (input === null || input.encoding !== "json") {
      without.push(numberOf(entry));
      continue;
    }
    const head = {
      generated_file_name: requestedName,
      ...(input.locale === null ? {} : { locale: input.locale }),
      ...(input.timeZone === null ? {} : { time_zone: input.timeZone }),
    };
    // The data is inserted as text, so that it does not change.
    const data = Buffer.from(input.bytes).toString("utf8");
    writeLine(io.stdout, `${JSON.stringify(head).slice(0, -1)},"user_input":${data}}`);
  }
  if (without.length === 0) return;
  const shown = without.slice(0, MAX_SHOWN).join(", ");
  const more = without.length > MAX_SHOWN ? ", …" : "";
  writeLine(
    io.stderr,
    `${count(without.length)} failed ${without.length === 1 ? "entry is" : "entries are"} not listed (${shown}${more}). An entry is not listed if it could not be read or has no file name. Correct the data file. quire report --json shows the reasons.`,
  );
}

async function printJobs(io: CommandIo, journal: JobStore, batch: BatchRecord): Promise<void> {
  const numberOf = numbering(batch);
  for await (const job of jobsOf(journal, batch.id)) {
    writeLine(io.stdout, JSON.stringify(lineOf({ ...job, entry: numberOf(job.entry) })));
  }
}

function lineOf({ batchId, entry, status, requestedName, attempts, result, failure }: JobRecord) {
  return {
    batch: batchId,
    entry,
    status,
    requested_name: requestedName,
    attempts,
    file: result?.outputFile.name ?? null,
    size: result?.outputFile.size ?? null,
    sha256: result?.sha256 ?? null,
    pages: result?.pages ?? null,
    failure: failure && { code: failure.code, message: failure.message },
    errors: failure?.diagnostics ?? result?.errors ?? [],
    warnings: result?.warnings ?? [],
  };
}

/** Prints why the first entries failed or have errors. */
async function printReasons(io: CommandIo, journal: JobStore, batch: BatchRecord): Promise<void> {
  const { failed, completed_with_error: withErrors } = batch.counts;
  let left = MAX_REASONS;
  for (const status of ["failed", "completed_with_error"] as const) {
    if (left === 0) break;
    for await (const { entry, requestedName, failure, result } of jobsOf(
      journal,
      batch.id,
      status,
    )) {
      const name = requestedName === null ? "" : ` (${JSON.stringify(requestedName)})`;
      const [error] = failure?.diagnostics ?? result?.errors ?? [];
      const why = error === undefined ? oneLine(failure?.message ?? "") : describe(error);
      writeLine(io.stdout, `  entry ${entry}${name}: ${why}`);
      left -= 1;
      if (left === 0) break;
    }
  }
  const more = failed + withErrors - MAX_REASONS;
  if (more > 0) writeLine(io.stdout, `  … and ${count(more)} more; quire report --json lists all`);
}

function printBatch(io: CommandIo, batch: BatchRecord): void {
  const { counts, cancelled, caller, createdAt } = batch;
  const { done, total } = progressOf(batch);
  const state = done < total ? "running" : cancelled ? "cancelled" : "finished";
  writeLine(
    io.stdout,
    `run of ${new Date(createdAt).toISOString()}${caller === null ? "" : ` into ${caller}`}: ${state}`,
  );
  const rows: [string, number][] = [
    ["completed", counts.completed],
    ["completed with errors", counts.completed_with_error],
    ["failed", counts.failed],
    ["pending", total - done],
    ["total", total],
  ];
  const width = count(total).length;
  for (const [label, value] of rows)
    writeLine(io.stdout, `  ${label.padEnd(24)}${count(value).padStart(width)}`);
}
