import { createHash } from "node:crypto";
import type { BatchRecord, JobRecord } from "@quire/core";
import { Command } from "commander";
import { EXIT } from "../exit.ts";
import { currentBatches, jobsOf, openKnownJournal } from "../run/journal.ts";
import { outputAt, type RunOutput } from "../run/output.ts";
import { count } from "../terminal/progress.ts";

interface VerifyOptions {
  readonly out?: string;
  readonly json?: true;
}

/** Files that are read at the same time. */
const AT_ONCE = 8;

/** `quire verify`: whether the documents of a run are still what they were made as. */
export function verifyCommand(): Command {
  return new Command("verify")
    .description("Read every document of a run again and compare it with the run's journal.")
    .argument("<journal>", "the journal of the run, for example out.quire.db")
    .option("--out <folder>", "where the documents are now (default: where they were made)")
    .option("--json", "one JSON object a line: each document that is not right, then a summary")
    .addHelpText(
      "after",
      "\nExit code 0: every document is there and whole, and no entry is open. 2: not so. 1: it could not be looked at.",
    )
    .action(verify);
}

/** What is wrong with a document. */
type Problem = "missing" | "changed" | "unreadable";

interface Tally {
  verified: number;
  readonly problems: Record<Problem, number>;
  failed: number;
  open: number;
}

async function verify(path: string, options: VerifyOptions): Promise<void> {
  const journal = await openKnownJournal(path);
  const tally: Tally = {
    verified: 0,
    problems: { missing: 0, changed: 0, unreadable: 0 },
    failed: 0,
    open: 0,
  };
  try {
    for await (const batch of currentBatches(journal)) {
      tally.failed += batch.counts.failed;
      tally.open += batch.counts.submitted + batch.counts.pending;
      const output = await outputAt(options.out ?? batch.caller ?? ".");
      await verifyAll(jobsOf(journal, batch.id), (job) =>
        verifyJob(job, { batch, output, tally, json: options.json === true }),
      );
    }
  } finally {
    await journal.close();
  }
  tell(tally, options.json === true);
  const { missing, changed, unreadable } = tally.problems;
  const isRight = missing + changed + unreadable + tally.open === 0;
  process.exitCode = isRight ? EXIT.completed : EXIT.someErrors;
}

async function verifyAll(
  jobs: AsyncIterable<JobRecord>,
  verifyOne: (job: JobRecord) => Promise<void>,
): Promise<void> {
  const source = jobs[Symbol.asyncIterator]();
  const worker = async (): Promise<void> => {
    for (let next = await source.next(); !next.done; next = await source.next()) {
      await verifyOne(next.value);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

interface Verification {
  readonly batch: BatchRecord;
  readonly output: RunOutput;
  readonly tally: Tally;
  readonly json: boolean;
}

async function verifyJob(job: JobRecord, { output, tally, json }: Verification): Promise<void> {
  if (job.result === null) return;
  const { outputFile, sha256 } = job.result;
  const problem = await problemOf(output, outputFile.name, sha256);
  if (problem === null) {
    tally.verified += 1;
    return;
  }
  tally.problems[problem] += 1;
  const { batchId, entry } = job;
  if (json) {
    const file = outputFile.name;
    console.log(JSON.stringify({ type: "problem", problem, batch: batchId, entry, file, sha256 }));
  } else console.error(`entry ${entry}: ${JSON.stringify(outputFile.name)} is ${problem}`);
}

async function problemOf(
  { storage, folder }: RunOutput,
  name: string,
  sha256: string,
): Promise<Problem | null> {
  try {
    const file = await storage.find(folder, name);
    if (file === null) return "missing";
    const { bytes } = await storage.read(file.ref);
    return createHash("sha256").update(bytes).digest("hex") === sha256 ? null : "changed";
  } catch {
    return "unreadable";
  }
}

function tell({ verified, problems, failed, open }: Tally, json: boolean): void {
  if (json) {
    console.log(JSON.stringify({ type: "summary", verified, ...problems, failed, open }));
    return;
  }
  const rows: [string, number][] = [
    ["verified", verified],
    ["missing", problems.missing],
    ["changed", problems.changed],
    ["unreadable", problems.unreadable],
    ["failed, without a document", failed],
    ["not done yet", open],
  ];
  const width = Math.max(...rows.map(([, value]) => count(value).length));
  for (const [label, value] of rows)
    console.log(`${label.padEnd(28)}${count(value).padStart(width)}`);
}
