import type { BatchRecord, JobCounts, JobRecord, JobStore } from "@quire/core";
import { type CurrentBatch, currentBatches, progressOf } from "../run/journal.ts";
import { batchesOf, jobsOf } from "../run/journal-pages.ts";
import {
  openJournals,
  reportIncomplete,
  type ShardBatch,
  type ShardSet,
} from "../run/journal-set.ts";
import { numbering } from "../run/key.ts";
import { EXIT } from "../terminal/exit.ts";
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

/**
 * Prints the batches or the entries of a journal, or of the journals of all shards of a run as one. Sets the exit code
 * if a shard is missing or not finished.
 */
export async function report(
  io: CommandIo,
  paths: readonly string[],
  options: ReportOptions,
): Promise<void> {
  const set = await openJournals(io, paths);
  try {
    if (options.failed) {
      for (const journal of set.journals) {
        for await (const batch of currentBatches(journal)) await printFailed(io, journal, batch);
      }
    } else if (set.shards === null) {
      for (const journal of set.journals) {
        for await (const batch of batchesOf(journal))
          await printRun(io, [{ journal, batch }], options);
      }
    } else {
      await printRun(io, set.shards.batches, options, set.shards);
    }
    if (reportIncomplete(io, set)) io.exitCode = EXIT.someErrors;
  } finally {
    await set.close();
  }
}

/** A batch and its journal. */
type Source = Pick<ShardBatch, "journal" | "batch">;

/** Prints a run, which has a batch for each shard. `shards` is null if the run is not divided. */
async function printRun(
  io: CommandIo,
  batches: readonly Source[],
  { json }: ReportOptions,
  shards: ShardSet | null = null,
): Promise<void> {
  if (json) {
    for (const { journal, batch } of batches) await printJobs(io, journal, batch);
    return;
  }
  printCounts(
    io,
    batches.map(({ batch }) => batch),
    shards,
  );
  await printReasons(io, batches);
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
async function printReasons(io: CommandIo, batches: readonly Source[]): Promise<void> {
  let printed = 0;
  for await (const { entry, requestedName, failure, result } of withReasons(batches)) {
    const name = requestedName === null ? "" : ` (${JSON.stringify(requestedName)})`;
    const [error] = failure?.diagnostics ?? result?.errors ?? [];
    const why = error === undefined ? oneLine(failure?.message ?? "") : describe(error);
    writeLine(io.stdout, `  entry ${entry}${name}: ${why}`);
    printed += 1;
    if (printed === MAX_REASONS) break;
  }
  const { failed, completed_with_error: withErrors } = sumOf(batches.map(({ batch }) => batch));
  const more = failed + withErrors - printed;
  if (more > 0) writeLine(io.stdout, `  … and ${count(more)} more; quire report --json lists all`);
}

/** Yields the entries that failed, then those with errors, with their numbers in the data file. */
async function* withReasons(batches: readonly Source[]): AsyncGenerator<JobRecord> {
  for (const status of ["failed", "completed_with_error"] as const) {
    for (const { journal, batch } of batches) {
      const numberOf = numbering(batch);
      for await (const job of jobsOf(journal, batch.id, status)) {
        yield { ...job, entry: numberOf(job.entry) };
      }
    }
  }
}

function sumOf(batches: readonly BatchRecord[]): JobCounts {
  const sum = { submitted: 0, pending: 0, completed: 0, completed_with_error: 0, failed: 0 };
  for (const { counts } of batches) {
    for (const status of Object.keys(sum) as (keyof JobCounts)[]) sum[status] += counts[status];
  }
  return sum;
}

/** Prints the state and the counts of a run, which has a batch for each shard. */
function printCounts(
  io: CommandIo,
  batches: readonly BatchRecord[],
  shards: ShardSet | null,
): void {
  const counts = sumOf(batches);
  const { done, total } = progressOf({ counts });
  const isCancelled = batches.some(({ cancelled }) => cancelled);
  const state = done < total ? "running" : isCancelled ? "cancelled" : "finished";
  const createdAt = Math.min(...batches.map((batch) => batch.createdAt));
  const caller = batches[0]?.caller ?? null;
  const ofShards = shards === null ? "" : `, ${shards.batches.length} of ${shards.count} shards`;
  writeLine(
    io.stdout,
    `run of ${new Date(createdAt).toISOString()}${caller === null ? "" : ` into ${caller}`}: ${state}${ofShards}`,
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
