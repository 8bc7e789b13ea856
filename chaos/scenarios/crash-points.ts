import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Checker } from "../checker.ts";
import type { ProgramOptions } from "../program/options.ts";
import { makePlace, type Place } from "../support/place.ts";
import type { Report } from "../support/report.ts";
import { endInWords, type Program, runProgram, startProgram } from "../support/run-program.ts";
import { attach, type Thread, threadOf } from "../support/strace.ts";

/** A moment in a run: just before a thread makes a certain system call for the nth time. */
interface CrashPoint {
  readonly thread: Thread;
  readonly call: string;
  readonly nth: number;
}

/** System calls whose effects outlast the process, by the thread that makes them. */
const CALLS: Readonly<Record<Thread, readonly string[]>> = {
  // Writes to stdout count as `write`. A kill before such a write means that the client has received less.
  database: ["pwrite64", "fsync", "ftruncate", "unlink", "write"],
  files: ["openat", "write", "fsync", "link", "unlink"],
};

/** How the process is ended at a crash point. */
export type Fault = "SIGKILL";

/** Selects the crash points to test. */
export interface CrashPointOptions {
  /** Every nth point of each kind is tested. */
  readonly every: number;
  readonly threads?: readonly Thread[];
  /** Only these calls are tested. Default: all. */
  readonly calls?: readonly string[];
  readonly changes?: Partial<ProgramOptions>;
  /** Called after each point. */
  readonly onPoint?: (done: number, all: number) => void;
  /** Number of points that are tested in parallel. */
  readonly parallel?: number;
}

/**
 * Kills the engine at each step of a small batch. Like SQLite's own tests, it does not choose random moments, but the
 * first, second, third … call of each kind. After each kill, it checks the files, runs the program again to its end,
 * and checks the files again.
 */
export async function crashPoints(options: CrashPointOptions): Promise<Report> {
  const { every, threads = ["database", "files"], changes = {}, onPoint, parallel = 2 } = options;
  const isChosen = (call: string): boolean => options.calls?.includes(call) ?? true;
  const points: CrashPoint[] = [];
  let all = 0;
  for (const thread of threads) {
    for (const [call, count] of await countCalls(thread, changes)) {
      if (!isChosen(call)) continue;
      all += count;
      // Not every kind starts at its first call. Each kind has its own offset, which is the same in each run.
      const phase = (call.length + thread.length) % every;
      for (let nth = 1 + phase; nth <= count; nth += every) points.push({ thread, call, nth });
    }
  }
  const violations: string[] = [];
  const survived: string[] = [];
  let tempFiles = 0;
  let done = 0;
  const waiting = points.values();
  const work = async (): Promise<void> => {
    for (const point of waiting) {
      const result = await crashAt(point, changes);
      violations.push(...result.violations);
      tempFiles += result.tempFiles;
      if (!result.crashed) survived.push(inWords(point));
      done += 1;
      onPoint?.(done, points.length);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return {
    scenario: "Crash points",
    tried: `${points.length - survived.length} crash points of ${all}`,
    violations,
    notes: [
      `${tempFiles} temporary files remained after the kills`,
      ...(survived.length > 0 ? [`not reached this time: ${survived.join(", ")}`] : []),
    ],
  };
}

async function crashAt(point: CrashPoint, changes: Partial<ProgramOptions>) {
  await using place = await makePlace({ ...changes, waitForGo: true });
  const checker = new Checker(place);
  const when = `killed at ${inWords(point)}`;
  const program = await startTraced(place, point.thread, [
    `-einject=${point.call}:signal=SIGKILL:when=${point.nth}`,
    `-etrace=${point.call}`,
    "-o/dev/null",
  ]);
  const end = await program.ended;
  const crashed = end.signal === "SIGKILL" && !end.hung;
  if (!crashed && end.code !== 0) checker.report(`${when}: ${endInWords(end)}`);
  checker.heard(program.lines);
  await checker.checkMoment(when);
  const again = await runProgram(place, { changes: { waitForGo: false } });
  checker.heard(again.lines);
  if (again.code !== 0) checker.report(`${when}, run again: ${endInWords(again)}`);
  await checker.checkEnd(`${when}, run again`, [], {});
  return { crashed, violations: checker.violations, tempFiles: checker.tempFiles };
}

/** Returns the number of calls of each kind in a run without faults. */
async function countCalls(
  thread: Thread,
  changes: Partial<ProgramOptions>,
): Promise<Map<string, number>> {
  await using place = await makePlace({ ...changes, waitForGo: true });
  const trace = join(place.path, "trace");
  const calls = CALLS[thread];
  const program = await startTraced(place, thread, ["-o", trace, `-etrace=${calls.join(",")}`]);
  const end = await program.ended;
  if (end.code !== 0) throw new Error(`The run without faults failed: ${endInWords(end)}`);
  const lines = (await readFile(trace, "utf8")).split("\n");
  return new Map(
    calls.map((call) => [call, lines.filter((line) => line.startsWith(`${call}(`)).length]),
  );
}

async function startTraced(
  place: Place,
  thread: Thread,
  args: readonly string[],
): Promise<Program> {
  const program = startProgram(place, { env: { UV_THREADPOOL_SIZE: "1" } });
  await program.said("ready");
  const strace = await attach(threadOf(program, thread), args);
  program.process.stdin?.write("go\n");
  return { ...program, ended: program.ended.finally(() => strace.ended) };
}

function inWords({ thread, call, nth }: CrashPoint): string {
  return `${call} number ${nth} of the thread for ${thread === "files" ? "files" : "the database"}`;
}
