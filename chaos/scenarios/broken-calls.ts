import { setTimeout as sleep } from "node:timers/promises";
import { Checker } from "../checker.ts";
import { finish, lastError } from "../support/finish.ts";
import { makePlace } from "../support/place.ts";
import { send } from "../support/processes.ts";
import type { Report } from "../support/report.ts";
import { endInWords, type Program, startProgram } from "../support/run-program.ts";
import { attach, type Thread, threadOf } from "../support/strace.ts";

/** How long to wait for an engine to end, in milliseconds. It is much longer than a batch takes. */
const WAITING_MS = 20_000;
const GRACE_MS = 3000;

/** A system call that fails. */
export interface BrokenCall {
  readonly thread: Thread;
  readonly call: string;
  readonly error: string;
  /** Which calls fail, in the syntax of strace: `3` means only the third call, `3+` the third and all later ones. */
  readonly when: string;
}

/**
 * Makes disk calls fail. After a fault in the journal, unsynced writes are not confirmed, the store stops trusting its
 * state, and the next start finishes the batch. After a fault in a document, the job fails, and a retry succeeds.
 */
export async function brokenCalls(calls: readonly BrokenCall[]): Promise<Report> {
  const violations: string[] = [];
  const met = new Map<string, number>();
  for (const call of calls) {
    const result = await breakAt(call);
    violations.push(...result.violations);
    met.set(result.how, (met.get(result.how) ?? 0) + 1);
  }
  return {
    scenario: "Failing disk calls",
    tried: `${calls.length} calls`,
    violations,
    notes: [[...met].map(([how, count]) => `${count} times ${how}`).join(", ")],
  };
}

/** Stops an engine that would otherwise wait forever for disk space. */
async function endWaiting({ ended, pid }: Program): Promise<void> {
  const hasEnded = await Promise.race([ended.then(() => true), sleep(WAITING_MS, false)]);
  if (!hasEnded) send(pid, "SIGTERM");
}

async function breakAt({ thread, call, error, when: nth }: BrokenCall) {
  await using place = await makePlace({ waitForGo: true, graceMs: GRACE_MS });
  const checker = new Checker(place);
  const when = `${error} of ${call} ${nth} (${thread})`;
  const program = startProgram(place, { env: { UV_THREADPOOL_SIZE: "1" } });
  await program.said("ready");
  const strace = await attach(threadOf(program, thread), [
    `-einject=${call}:error=${error}:when=${nth}`,
    `-etrace=${call}`,
    "-o/dev/null",
  ]);
  program.process.stdin?.write("go\n");
  if (error === "ENOSPC" && nth.endsWith("+")) await endWaiting(program);
  const end = await program.ended;
  await strace.ended;
  checker.heard(program.lines);
  if (end.hung) checker.report(`${when}: ${endInWords(end)}`);
  if (end.code === 1 && !lastError(program.lines).includes("job_store_failed")) {
    checker.report(`${when}: ${endInWords(end)} ${lastError(program.lines)}`);
  }
  await checker.checkMoment(when);
  const isAccepted = program.lines.some(({ type }) => type === "accepted");
  const failed = await finish(place, checker, `${when}, run again`, {
    failures: ["storage_failed"],
  });
  const journalFailed = isAccepted ? "stopped, finished by the next start" : "not accepted";
  const how = end.code === 0 ? (failed > 0 ? "failed and retried" : "unaffected") : journalFailed;
  return { how, violations: checker.violations };
}
