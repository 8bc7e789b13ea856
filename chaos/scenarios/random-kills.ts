import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Checker } from "../checker.ts";
import type { ProgramOptions } from "../program/options.ts";
import { finish } from "../support/finish.ts";
import { makePlace, type Place } from "../support/place.ts";
import { familyOf, type Process, send } from "../support/processes.ts";
import { randomFrom } from "../support/random.ts";
import type { Report } from "../support/report.ts";
import { type Program, startProgram } from "../support/run-program.ts";

/** The number and timing of the kills, and the work that they interrupt. */
export interface KillOptions {
  readonly kills: number;
  readonly entries: number;
  readonly seed: number;
  /** The longest time in milliseconds between the start of the work and a kill, or between two kills. */
  readonly withinMs: number;
  /** The share of kills that do not wait until there are documents. Default 0.2. */
  readonly early?: number;
  readonly changes?: Partial<ProgramOptions>;
  readonly onKill?: (done: number) => void;
}

/**
 * Kills the engine at random moments, repeatedly over one journal. Its child processes are not killed. No document is
 * blamed: a kill rarely hits the same document three times while it is being made.
 */
export async function killEngine(options: KillOptions): Promise<Report> {
  const { kills, entries, seed, withinMs, early = 0.2, changes = {}, onKill } = options;
  await using place = await makePlace({
    entries,
    concurrency: 4,
    renderer: "pool",
    tellJobs: false,
    ...changes,
  });
  const checker = new Checker(place);
  const random = randomFrom(seed);
  let done = 0;
  const known: Process[] = [];
  const ended: number[] = [];
  for (; done < kills; done++) {
    const program = startProgram(place);
    // Some kills hit the start. Most of them hit the middle of the work, after some more documents.
    const isEarly = random() < early;
    await program.said(isEarly ? "ready" : "accepted");
    if (!isEarly) await moreDocuments(place, program, Math.floor(random() * 8));
    await Promise.race([sleep(random() * withinMs), program.said("finished")]);
    const family = await familyOf(program.pid);
    send(program.pid, "SIGKILL");
    const end = await program.ended;
    checker.heard(program.lines);
    if (end.signal !== "SIGKILL") break; // the program has finished
    known.push(...family);
    const journal = await checker.checkMoment(`after kill ${done + 1}`);
    ended.push(journal?.jobs.filter(({ endedAt }) => endedAt !== null).length ?? 0);
    onKill?.(done + 1);
  }
  await finish(place, checker, `after ${done} kills`, { known });
  return {
    scenario: `Random kills of the engine (${place.options.outputType})`,
    tried: `${done} kills over ${entries} entries`,
    violations: checker.violations,
    notes: [
      `entries that had ended: ${ended.join(", ")}`,
      `${checker.tempFiles} temporary files remained`,
    ],
  };
}

/** Resolves when there are this many more files, finished or not, or when the program has finished. */
async function moreDocuments({ out }: Place, program: Program, more: number): Promise<void> {
  const before = (await readdir(out)).length;
  const isDone = (): boolean => program.lines.some(({ type }) => type === "finished");
  while (!isDone() && program.process.exitCode === null) {
    if ((await readdir(out)).length >= before + more) return;
    await sleep(5);
  }
}

/** Expected failures of documents whose processes are killed repeatedly. */
const BLAMED = ["render_failed", "conversion_failed", "timeout", "unavailable"];

/** Kills child processes of the engine: render processes, converter lanes, and LibreOffice itself. */
export async function killChildren(options: KillOptions): Promise<Report> {
  const { kills, entries, seed, withinMs, changes = {}, onKill } = options;
  await using place = await makePlace({
    entries,
    concurrency: 4,
    renderer: "pool",
    ...changes,
  });
  const checker = new Checker(place);
  const random = randomFrom(seed);
  const killed = new Map<string, number>();
  const known: Process[] = [];
  const program = startProgram(place);
  await program.said("accepted");
  let done = 0;
  while (done < kills && program.process.exitCode === null) {
    await Promise.race([sleep(random() * withinMs), program.said("finished")]);
    if (program.lines.some(({ type }) => type === "finished")) break;
    const children = (await familyOf(program.pid)).slice(1);
    const victim = children[Math.floor(random() * children.length)];
    if (victim === undefined || !send(victim.pid, "SIGKILL")) continue;
    known.push(...children);
    killed.set(victim.name, (killed.get(victim.name) ?? 0) + 1);
    done += 1;
    onKill?.(done);
  }
  const end = await program.ended;
  checker.heard(program.lines);
  const failures = program.lines.flatMap((line) => (line.type === "job" && line.failure) || []);
  if (end.code !== 0) checker.report(`the engine ended with ${end.code ?? end.signal}`);
  const failed = await finish(place, checker, `after ${done} kills`, { known, failures: BLAMED });
  return {
    scenario: `Random kills of the engine's children (${place.options.outputType})`,
    tried: `${done} kills over ${entries} entries`,
    violations: checker.violations,
    notes: [
      `killed: ${[...killed].map(([name, count]) => `${count} ${name}`).join(", ")}`,
      `${failed} entries failed because of this, and succeeded in a retry`,
      ...new Set(failures),
    ],
  };
}
