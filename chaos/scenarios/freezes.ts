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
/** How long an engine is frozen, in milliseconds. It is longer than a lease, even on a busy machine. */
const FROZEN_MS = 3 * LEASE_MS;

/** Runs two engines with one journal. At random moments, freezes one of them for longer than its lease. */
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

/** The system call of the file system thread after which the engine is frozen. */
interface FreezePoint {
  readonly call: string;
  readonly nth: number;
}

/**
 * The calls that write a document, in order. After the freeze, the engine makes the remaining calls without a lease.
 */
const CALLS = ["openat", "fsync", "close", "link", "unlink"];

/**
 * Freezes an engine right after a certain system call, for example between its last check of the lease and the creation
 * of a file. Another engine finishes everything, and then the first one continues.
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

/** Makes another engine do all the work while the first one is frozen. */
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
  // The frozen engine holds a write lock, so other engines fail with this error until it continues.
  checker.heard(other.lines);
  send(zombie.pid, "SIGCONT");
  await mustEndWell(checker, start(), when);
}

/** Waits until the program is frozen. Resolves with false if the program ends first. */
async function untilStopped({ pid, process }: Program): Promise<boolean> {
  while (process.exitCode === null && process.signalCode === null) {
    const state = (await processes()).find((one) => one.pid === pid)?.state;
    if (state === "T" || state === "t") {
      // strace stops the thread briefly at each system call, so this waits for a stop that lasts.
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
