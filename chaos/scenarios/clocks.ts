import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Checker } from "../checker.ts";
import { finish, lastError } from "../support/finish.ts";
import { readJournal } from "../support/journal.ts";
import { makePlace } from "../support/place.ts";
import { send } from "../support/processes.ts";
import type { Report } from "../support/report.ts";
import { endInWords, type StartOptions, startProgram } from "../support/run-program.ts";

const SHIFT = fileURLToPath(new URL("../program/shift-date.ts", import.meta.url));
const YEAR_MS = 365 * 24 * 3600 * 1000;

/**
 * Runs engines whose wall clocks are years apart with one journal, and engines whose clock jumps between two starts.
 * This must not end or extend a lease, and must not create a document twice. An engine is killed at each shift of the
 * clock.
 */
export async function clockJumps(
  entries: number,
  shifts: readonly number[] = [YEAR_MS, -YEAR_MS],
): Promise<Report> {
  await using place = await makePlace({
    entries,
    concurrency: 4,
    leaseMs: 4000,
    renderer: "pool",
    tellJobs: false,
  });
  const checker = new Checker(place);
  for (const shift of shifts) {
    const killed = startProgram(place, shifted(shift));
    await killed.said("accepted");
    await sleep(shifts.length === 1 ? 100 : 500);
    send(killed.pid, "SIGKILL");
    await killed.ended;
    checker.heard(killed.lines);
    await checker.checkMoment(`killed with the clock at ${shift} ms`);
  }
  const others = shifts.length === 1 ? [-YEAR_MS, 0] : [-YEAR_MS, 0, YEAR_MS];
  const together = others.map((shift) => startProgram(place, shifted(shift)));
  for (const program of together) {
    const end = await program.ended;
    checker.heard(program.lines);
    if (end.code !== 0) checker.report(`${endInWords(end)} ${lastError(program.lines)}`);
  }
  const deaths = (await readJournal(place.journal))?.jobs.map((job) => job.deaths) ?? [];
  // Each kill may count against the few jobs that were running. No other worker may have lost a lease.
  if (Math.max(...deaths) > shifts.length)
    checker.report(`a lease was taken: ${Math.max(...deaths)} deaths`);
  await finish(place, checker, "with clocks years apart");
  return {
    scenario: "Clock jumps of a year",
    tried: `${shifts.length + together.length} engines over ${entries} entries`,
    violations: checker.violations,
  };
}

function shifted(ms: number): StartOptions {
  return { flags: ["--import", SHIFT], env: { QUIRE_CHAOS_SHIFT_MS: String(ms) } };
}
