import { setTimeout as sleep } from "node:timers/promises";
import { Checker } from "../checker.ts";
import { lastError } from "../support/finish.ts";
import { makePlace, type Place } from "../support/place.ts";
import { processes, send } from "../support/processes.ts";
import { randomFrom } from "../support/random.ts";
import type { Report } from "../support/report.ts";
import { endInWords, type Program, startProgram } from "../support/run-program.ts";
import { attach, threadOf } from "../support/strace.ts";

const LEASE_MS = 1500;
/** Longer than a lease, also on a machine that is busy. */
const FROZEN_MS = 3 * LEASE_MS;

/** Two engines over one journal; one of them stands still for longer than its lease, at random moments. */
export async function randomFreezes(
  freezes: number,
  entries: number,
  seed: number,
): Promise<Report> {
  await using place = await makePlace({
    entries,
    concurrency: 4,
    leaseMs: LEASE_MS,
    renderer: "pool",
    tellJobs: false,
  });
  const checker = new Checker(place);
  const random = randomFrom(seed);
  const programs = [startProgram(place), startProgram(place)];
  await Promise.all(programs.map((program) => program.said("accepted")));
  let done = 0;
  for (; done < freezes; done++) {
    const frozen = programs[done % 2] as Program;
    await sleep(random() * 500);
    if (programs.some(({ process }) => process.exitCode !== null)) break;
    send(frozen.pid, "SIGSTOP");
    await sleep(FROZEN_MS);
    send(frozen.pid, "SIGCONT");
  }
  for (const program of programs) await mustEndWell(checker, program, "frozen at random");
  await checker.checkEnd("frozen at random", [], {});
  return {
    scenario: "Two engines, frozen at random",
    tried: `${done} freezes over ${entries} entries`,
    violations: checker.violations,
  };
}

/** A system call of the thread for files after which the engine stands still. */
interface FreezePoint {
  readonly call: string;
  readonly nth: number;
}

/** The calls of a document, in their order: what comes after the freeze is done by a writer without a lease. */
const CALLS = ["openat", "fsync", "close", "link", "unlink"];

/**
 * An engine stands still right after a chosen system call, for instance between its last look at the lease
 * and the creation of a file. Another one finishes everything; then the first one goes on.
 */
export async function freezePoints(
  counts: readonly number[],
  calls: readonly string[] = CALLS,
): Promise<Report> {
  const violations: string[] = [];
  const points = calls.flatMap((call) => counts.map((nth) => ({ call, nth })));
  let frozen = 0;
  for (const point of points) {
    const result = await freezeAt(point);
    violations.push(...result.violations);
    if (result.froze) frozen += 1;
  }
  return { scenario: "Writers without a lease", tried: `${frozen} freeze points`, violations };
}

async function freezeAt({ call, nth }: FreezePoint) {
  await using place = await makePlace({ leaseMs: LEASE_MS, waitForGo: true });
  const checker = new Checker(place);
  const when = `frozen at ${call} number ${nth}`;
  const zombie = startProgram(place, { env: { UV_THREADPOOL_SIZE: "1" } });
  await zombie.said("ready");
  const strace = await attach(threadOf(zombie, "files"), [
    `-einject=${call}:signal=SIGSTOP:when=${nth}`,
    `-etrace=${call}`,
    "-o/dev/null",
  ]);
  zombie.process.stdin?.write("go\n");
  const froze = await untilStopped(zombie);
  if (froze) {
    await finishBeside(zombie, place, checker, `${when}, the other engine`);
    await checker.checkMoment(when);
    send(zombie.pid, "SIGCONT");
  }
  await mustEndWell(checker, zombie, `${when}, the frozen engine`);
  await strace.ended;
  await checker.checkEnd(when, [], {});
  return { froze, violations: checker.violations };
}

/** Another engine does everything while the first one stands still. */
async function finishBeside(
  zombie: Program,
  place: Place,
  checker: Checker,
  when: string,
): Promise<void> {
  const start = (): Program => startProgram(place, { changes: { waitForGo: false } });
  const other = start();
  await other.ended;
  if (!lastError(other.lines).includes("kept it locked")) {
    await mustEndWell(checker, other, when);
    return;
  }
  // It stands still in the middle of a write: that keeps all others out until it goes on, as they say.
  checker.heard(other.lines);
  send(zombie.pid, "SIGCONT");
  await mustEndWell(checker, start(), when);
}

/** False when it has ended before. */
async function untilStopped({ pid, process }: Program): Promise<boolean> {
  while (process.exitCode === null && process.signalCode === null) {
    const state = (await processes()).find((one) => one.pid === pid)?.state;
    if (state === "T" || state === "t") {
      // Seen by strace at each system call for a moment: only what stays so is stopped.
      await sleep(300);
      const later = (await processes()).find((one) => one.pid === pid)?.state;
      if (later === "T" || later === "t") return true;
    }
    await sleep(20);
  }
  return false;
}

async function mustEndWell(checker: Checker, program: Program, when: string): Promise<void> {
  const end = await program.ended;
  checker.heard(program.lines);
  if (end.code !== 0) checker.report(`${when}: ${endInWords(end)} ${lastError(program.lines)}`);
}
