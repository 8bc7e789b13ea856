import type { JobRecord, JobResult } from "@quire/core";
import { Command } from "commander";
import { EXIT } from "../exit.ts";
import { processIo as io } from "../process-io.ts";
import { type DocumentState, documentState, eachDocument } from "../run/documents.ts";
import { currentBatches, openKnownJournal } from "../run/journal.ts";
import { outputAt, type RunOutput } from "../run/output.ts";
import { count } from "../terminal/progress.ts";

interface VerifyOptions {
  readonly out?: string;
  readonly json?: true;
}

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
type Problem = Exclude<DocumentState, "unchanged">;

interface Tally {
  verified: number;
  readonly problems: Record<Problem, number>;
  failed: number;
  open: number;
}

async function verify(path: string, options: VerifyOptions): Promise<void> {
  const journal = await openKnownJournal(io, path);
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
      const output = await outputAt(io, options.out ?? batch.caller ?? ".");
      const verification = { output, tally, json: options.json === true };
      await eachDocument(journal, batch, (job, result) => verifyJob(job, result, verification));
    }
  } finally {
    await journal.close();
  }
  tell(tally, options.json === true);
  const { missing, changed, unreadable } = tally.problems;
  const isRight = missing + changed + unreadable + tally.open === 0;
  process.exitCode = isRight ? EXIT.completed : EXIT.someErrors;
}

interface Verification {
  readonly output: RunOutput;
  readonly tally: Tally;
  readonly json: boolean;
}

async function verifyJob(
  { batchId, entry }: JobRecord,
  { outputFile: { name }, sha256 }: JobResult,
  { output, tally, json }: Verification,
): Promise<void> {
  const state = await documentState(output, name, sha256);
  if (state === "unchanged") {
    tally.verified += 1;
    return;
  }
  tally.problems[state] += 1;
  if (json) {
    const problem = { type: "problem", problem: state, batch: batchId, entry, file: name, sha256 };
    console.log(JSON.stringify(problem));
  } else console.error(`entry ${entry}: ${JSON.stringify(name)} is ${state}`);
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
