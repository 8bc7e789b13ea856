import type { JobRecord, JobResult } from "@quire/core";
import { type DocumentState, documentState, eachDocument } from "../run/documents.ts";
import { type CurrentBatch, currentBatches } from "../run/journal.ts";
import {
  type JournalSet,
  openJournals,
  reportIncomplete,
  type ShardSet,
} from "../run/journal-set.ts";
import { numbering } from "../run/key.ts";
import { outputAt, type RunOutput } from "../run/output.ts";
import { EXIT } from "../terminal/exit.ts";
import { count } from "../terminal/format.ts";
import { type CommandIo, writeLine } from "../terminal/io.ts";
import { createProgress, type ProgressState } from "../terminal/progress.ts";

/** The flags of `quire verify`. */
export interface VerifyOptions {
  readonly out?: string;
  readonly json?: true;
}

/** A problem with a document. */
type Problem = Exclude<DocumentState, "unchanged">;

interface Tally {
  verified: number;
  readonly problems: Record<Problem, number>;
  failed: number;
  open: number;
}

/** Compares each document of a run with the journal of the run, or of its shard. Sets the exit code. */
export async function verify(
  io: CommandIo,
  paths: readonly string[],
  options: VerifyOptions,
): Promise<void> {
  const set = await openJournals(io, paths);
  const progress = createProgress(io, { quiet: !io.stderr.isTTY });
  const tally = {
    verified: 0,
    problems: { missing: 0, changed: 0, unreadable: 0 },
    failed: 0,
    open: 0,
  };
  try {
    const total = await countJobs(set, tally);
    progress.phase("verifying", { rate: true });
    for await (const { batch, jobs } of batchesIn(set)) {
      const output = await outputAt(io, options.out ?? batch.caller ?? ".");
      const numberOf = numbering(batch);
      const verification = { output, tally, numberOf, json: options.json === true };
      await eachDocument(jobs(), async (job, result) => {
        await verifyJob(progress.io, { job, result }, verification);
        progress.update(progressOf(tally, total));
      });
    }
  } finally {
    progress.finish();
    await set.close();
  }
  printTally(io, tally, set.shards, options.json === true);
  const { missing, changed, unreadable } = tally.problems;
  const isIncomplete = reportIncomplete(io, set);
  const isRight = missing + changed + unreadable + tally.open === 0 && !isIncomplete;
  io.exitCode = isRight ? EXIT.completed : EXIT.someErrors;
}

async function* batchesIn({ journals }: JournalSet): AsyncGenerator<CurrentBatch> {
  for (const journal of journals) yield* currentBatches(journal);
}

/** Counts the jobs without a document in `tally`, and returns the number of documents. */
async function countJobs(set: JournalSet, tally: Tally): Promise<number> {
  let documents = 0;
  for await (const { jobs } of batchesIn(set)) {
    for await (const { status, result } of jobs()) {
      if (result !== null) documents += 1;
      else if (status === "failed") tally.failed += 1;
      else tally.open += 1;
    }
  }
  return documents;
}

function progressOf({ verified, problems }: Tally, total: number): ProgressState {
  const failed = Object.values(problems).reduce((sum, each) => sum + each, 0);
  return { done: verified + failed, failed, total };
}

interface Verification {
  readonly output: RunOutput;
  readonly tally: Tally;
  /** Converts the number of an entry in the batch to its number in the data file. */
  readonly numberOf: (entry: number) => number;
  readonly json: boolean;
}

async function verifyJob(
  io: CommandIo,
  { job, result }: { readonly job: JobRecord; readonly result: JobResult },
  { output, tally, numberOf, json }: Verification,
): Promise<void> {
  const { batchId } = job;
  const entry = numberOf(job.entry);
  const { outputFile, sha256 } = result;
  const { name } = outputFile;
  const state = await documentState(output, name, sha256);
  if (state === "unchanged") {
    tally.verified += 1;
    return;
  }
  tally.problems[state] += 1;
  if (json) {
    const problem = { type: "problem", problem: state, batch: batchId, entry, file: name, sha256 };
    writeLine(io.stdout, JSON.stringify(problem));
  } else writeLine(io.stderr, `entry ${entry}: ${JSON.stringify(name)} is ${state}`);
}

function printTally(
  io: CommandIo,
  { verified, problems, failed, open }: Tally,
  shards: ShardSet | null,
  json: boolean,
): void {
  if (json) {
    const missingShards = shards === null ? {} : { missing_shards: shards.missing };
    const summary = { type: "summary", verified, ...problems, failed, open, ...missingShards };
    writeLine(io.stdout, JSON.stringify(summary));
    return;
  }
  const rows: [string, number][] = [
    ["verified", verified],
    ["missing", problems.missing],
    ["changed", problems.changed],
    ["unreadable", problems.unreadable],
    ["failed, no document", failed],
    ["pending", open],
  ];
  const width = Math.max(...rows.map(([, value]) => count(value).length));
  for (const [label, value] of rows)
    writeLine(io.stdout, `${label.padEnd(28)}${count(value).padStart(width)}`);
}
