import { setTimeout as sleep } from "node:timers/promises";
import { Checker } from "../checker.ts";
import type { ProgramOptions } from "../program/options.ts";
import { finish, lastError } from "../support/finish.ts";
import { readJournal } from "../support/journal.ts";
import { makePlace } from "../support/place.ts";
import { familyOf, send } from "../support/processes.ts";
import type { Report } from "../support/report.ts";
import { endInWords, startProgram } from "../support/run-program.ts";

/** The signals that request a stop. */
export interface Stop {
  readonly graceMs: number | null;
  /** Time in milliseconds between the acceptance of the batch and the first signal. */
  readonly afterMs: number;
  /** Times in milliseconds between further signals. */
  readonly againMs: readonly number[];
}

/** Stops with short and long grace periods, with one signal and with several. */
export const ALL_STOPS: readonly Stop[] = [
  { graceMs: 0, afterMs: 400, againMs: [] },
  { graceMs: 100, afterMs: 700, againMs: [] },
  { graceMs: 30_000, afterMs: 500, againMs: [] },
  { graceMs: null, afterMs: 300, againMs: [] },
  { graceMs: 30_000, afterMs: 400, againMs: [50] },
  { graceMs: null, afterMs: 600, againMs: [0, 0] },
  { graceMs: 100, afterMs: 0, againMs: [10] },
];

/**
 * Sends SIGTERM in the middle of a batch. The program must exit with 0 and release its running jobs, so that no other
 * worker has to wait for a lease, and no worker's death counts against a job.
 */
export async function drains(
  stops: readonly Stop[],
  changes: Partial<ProgramOptions>,
): Promise<Report> {
  const violations: string[] = [];
  let midway = 0;
  for (const stop of stops) {
    const result = await drain(stop, changes);
    violations.push(...result.violations);
    if (result.midway) midway += 1;
  }
  return {
    scenario: `SIGTERM (${changes.outputType ?? "docx"})`,
    tried: `${stops.length} stops, ${midway} of them in the middle of the batch`,
    violations,
  };
}

async function drain(stop: Stop, changes: Partial<ProgramOptions>) {
  const { graceMs, afterMs, againMs } = stop;
  await using place = await makePlace({ renderer: "pool", graceMs, concurrency: 4, ...changes });
  const checker = new Checker(place);
  const when = `SIGTERM ${1 + againMs.length} times, grace ${graceMs}`;
  const program = startProgram(place);
  await program.said("accepted");
  await sleep(afterMs);
  const family = await familyOf(program.pid);
  send(program.pid, "SIGTERM");
  for (const ms of againMs) {
    await sleep(ms);
    send(program.pid, "SIGTERM");
  }
  const end = await program.ended;
  checker.heard(program.lines);
  if (end.code !== 0) checker.report(`${when}: ${endInWords(end)} ${lastError(program.lines)}`);
  await checker.checkMoment(when);
  await checker.checkProcesses(when, family);
  const journal = await readJournal(place.journal);
  if (journal !== null && journal.workers.size > 0) checker.report(`${when}: a worker remains`);
  for (const { entry, state, deaths } of journal?.jobs ?? []) {
    if (state === "pending") checker.report(`${when}: the entry ${entry} was not returned`);
    if (deaths > 0)
      checker.report(`${when}: ${deaths} deaths are counted against the entry ${entry}`);
  }
  const midway = journal?.jobs.some(({ state }) => state === "submitted") ?? false;
  await finish(place, checker, `${when}, run again`, { known: family, noTempFiles: true });
  return { midway, violations: checker.violations };
}
