import { rename } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Checker } from "../checker.ts";
import type { ProgramOptions } from "../program/options.ts";
import { finish, lastError } from "../support/finish.ts";
import { type Mount, mountSmall } from "../support/mounts.ts";
import { makePlace, type Place } from "../support/place.ts";
import { send } from "../support/processes.ts";
import type { Report } from "../support/report.ts";
import { endInWords, type Program, startProgram } from "../support/run-program.ts";

/** Expected failures of documents when the disk fails. */
const STORAGE = ["storage_failed"];

/** The disk is full: the batch pauses, and continues once there is space. Each entry needs more than 12 kB. */
export async function fullOutput(entries = 40): Promise<Report> {
  await using place = await makePlace({ entries, maxPauseMs: null });
  await using disk = await mountSmall(place.out, `size=${entries * 8}k`);
  const checker = new Checker(place);
  const program = startProgram(place);
  await program.said("outage");
  await checker.checkMoment("no space for documents");
  await disk.change("size=16m");
  return await continuesByItself("No space for documents", checker, program);
}

/** The folder of the documents becomes read-only when a quarter of them have begun. */
export async function readOnlyOutput(entries = 200): Promise<Report> {
  await using place = await makePlace({ entries, concurrency: 4, maxPauseMs: null });
  await using disk = await mountSmall(place.out, "size=64m");
  const checker = new Checker(place);
  const program = startProgram(place, { changes: { pauseAfter: Math.floor(entries / 4) } });
  await program.said("paused");
  await disk.change("ro");
  program.process.stdin?.write("go\n");
  await program.said("outage");
  await checker.checkMoment("read-only");
  await disk.change("rw");
  return await continuesByItself("A read-only folder", checker, program);
}

/** The folder of the documents is moved away in the middle of a batch. */
export async function vanishedOutput(): Promise<Report> {
  await using place = await makePlace({ entries: 200, concurrency: 4 });
  const checker = new Checker(place);
  const away = `${place.out}-away`;
  const program = startProgram(place);
  await program.said("job");
  await rename(place.out, away);
  const end = await program.ended;
  await rename(away, place.out);
  checker.heard(program.lines);
  if (end.code !== 0) checker.report(`moved away: ${endInWords(end)} ${lastError(program.lines)}`);
  const codes = { failures: ["not_found", ...STORAGE] };
  const failed = await finish(place, checker, "moved back", codes);
  return reportOf("A folder moved away", checker, failed);
}

/**
 * The disk of the journal becomes full, with each of several sizes. The batch is accepted or rejected; an accepted
 * batch continues when there is space, or after the next start.
 */
export async function fullJournal(sizesKb: readonly number[]): Promise<Report> {
  const violations: string[] = [];
  const met = new Map<string, number>();
  for (const size of sizesKb) {
    await using place = await makePlace({ entries: 60, ballastBytes: 4000 });
    await using disk = await mountSmall(dirname(place.journal), `size=${size}k`);
    const checker = new Checker(place);
    const when = `${size} kB for the journal`;
    const how = await untilStuck(place, checker, disk, when);
    met.set(how, (met.get(how) ?? 0) + 1);
    await finish(place, checker, `${when}, then more`);
    violations.push(...checker.violations);
  }
  return {
    scenario: "No space for the journal",
    tried: `${sizesKb.length} sizes`,
    violations,
    notes: [[...met].map(([how, count]) => `${count} times ${how}`).join(", ")],
  };
}

/** The disk for LibreOffice's temporary files is full. */
export async function fullTemp(): Promise<Report> {
  await using place = await makePlace({ entries: 4, outputType: "pdf", renderer: "pool" });
  // LibreOffice itself writes to a folder in memory; its process needs little more than this.
  await using disk = await mountSmall(place.temp, "size=24k");
  const checker = new Checker(place);
  const program = startProgram(place);
  const end = await program.ended;
  checker.heard(program.lines);
  if (end.hung) checker.report(`no space for temporary files: ${endInWords(end)}`);
  await checker.checkMoment("no space for temporary files");
  await disk.change("size=512m");
  const failures = ["conversion_failed", "unavailable", "timeout", "storage_failed"];
  const failed = await finish(place, checker, "space again", { failures });
  return reportOf("No space for temporary files", checker, failed);
}

/** The limit of open files is low. */
export async function fewFiles(limits: readonly number[], entries = 60): Promise<Report> {
  const violations: string[] = [];
  const met: string[] = [];
  for (const limit of limits) {
    const changes: Partial<ProgramOptions> = { entries, concurrency: 32, renderer: "pool" };
    await using place = await makePlace(changes);
    const checker = new Checker(place);
    const when = `${limit} open files`;
    const wrapper = ["prlimit", `--nofile=${limit}`];
    const program = startProgram(place, { wrapper });
    const end = await program.ended;
    checker.heard(program.lines);
    if (end.hung) checker.report(`${when}: ${endInWords(end)}`);
    await checker.checkMoment(when);
    const failures = [...STORAGE, "render_failed", "unavailable", "internal", "job_store_failed"];
    const failed = await finish(place, checker, `${when}, then enough`, { failures });
    const codes = program.lines.flatMap((line) => {
      return line.type === "job" && line.failure !== null ? line.failure.split(":", 1) : [];
    });
    const why = [...new Set(codes)].join(", ");
    met.push(`${limit}: exit ${end.code}, ${failed} failed ${why}${lastError(program.lines)}`);
    violations.push(...checker.violations);
  }
  return { scenario: "Few open files", tried: `${limits.length} limits`, violations, notes: met };
}

/** Checks that a paused batch ends without a failure once its fault is over. */
async function continuesByItself(
  scenario: string,
  checker: Checker,
  program: Program,
): Promise<Report> {
  const end = await program.ended;
  checker.heard(program.lines);
  if (end.code !== 0) checker.report(`${scenario}: ${endInWords(end)} ${lastError(program.lines)}`);
  await checker.checkEnd(scenario, [], {});
  const pauses = program.lines.filter(({ type }) => type === "outage").length;
  if (pauses === 0) checker.report("the fault had no effect");
  return { scenario, tried: "the batch paused and resumed", violations: checker.violations };
}

/** Runs until the program ends or makes no more progress, and then adds space. */
async function untilStuck(
  place: Place,
  checker: Checker,
  disk: Mount,
  when: string,
): Promise<string> {
  const program = startProgram(place);
  const isStuck = await stalls(program);
  if (isStuck) {
    // Stop the program during the check, for less time than its lease lasts.
    send(program.pid, "SIGSTOP");
    await checker.checkMoment(when);
    send(program.pid, "SIGCONT");
  }
  await disk.change("size=64m");
  const end = await program.ended;
  checker.heard(program.lines);
  await checker.checkMoment(`${when}, then more`);
  const isAccepted = program.lines.some(({ type }) => type === "accepted");
  if (isStuck && end.code !== 0) {
    checker.report(`${when}: ${endInWords(end)} ${lastError(program.lines)}`);
  }
  if (end.code === 0) return isStuck ? "continued by itself" : "done";
  return isAccepted ? "continued after the next start" : "not accepted";
}

/** Whether the program produces no output for some time, without ending. */
async function stalls(program: Program): Promise<boolean> {
  await program.said("ready");
  for (let before = -1; before !== program.lines.length; ) {
    before = program.lines.length;
    if (await Promise.race([program.ended.then(() => true), sleep(6000).then(() => false)])) {
      return false;
    }
  }
  return true;
}

function reportOf(scenario: string, checker: Checker, failed: number): Report {
  const tried = `${failed} entries failed and succeeded in a retry`;
  const { violations } = checker;
  if (failed > 0) return { scenario, tried, violations };
  return { scenario, tried, violations: [...violations, "the fault had no effect"] };
}
