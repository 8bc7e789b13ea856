import type { Checker, EndExpectations } from "../checker.ts";
import type { Place } from "./place.ts";
import type { Process } from "./processes.ts";
import { endInWords, runProgram, type StartOptions } from "./run-program.ts";

/** Options of {@link finish}. */
export interface FinishOptions extends EndExpectations {
  /** Processes that were started earlier. */
  readonly known?: readonly Process[];
  readonly start?: StartOptions;
}

/**
 * Runs the program to its end without faults and checks everything. If entries have failed with expected errors, a
 * retry must complete all of them. Resolves with the number of entries that had failed.
 */
export async function finish(
  place: Place,
  checker: Checker,
  when: string,
  { known = [], start = {}, ...end }: FinishOptions = {},
): Promise<number> {
  const failed = await runAndCheck(place, checker, when, start, known, end);
  if (failed === 0) return 0;
  checker.allowRetry();
  const again = { ...start, changes: { ...start.changes, retries: 1, tellJobs: false } };
  const { failures: _, ...rest } = end;
  await runAndCheck(place, checker, `${when}, retried`, again, known, rest);
  return failed;
}

async function runAndCheck(
  place: Place,
  checker: Checker,
  when: string,
  start: StartOptions,
  known: readonly Process[],
  end: EndExpectations,
): Promise<number> {
  const changes = { waitForGo: false, ...start.changes };
  const run = await runProgram(place, { ...start, changes });
  checker.heard(run.lines);
  if (run.code !== 0) checker.report(`${when}: ${endInWords(run)} ${lastError(run.lines)}`);
  await checker.checkEnd(when, known, end);
  const finished = run.lines.findLast((line) => line.type === "finished");
  return finished?.type === "finished" ? (finished.counts.failed ?? 0) : 0;
}

/** Returns the last error that the program reported, or an empty string. */
export function lastError(lines: readonly { readonly type: string }[]): string {
  const line = lines.findLast(({ type }) => type === "error");
  return line === undefined ? "" : JSON.stringify(line);
}
