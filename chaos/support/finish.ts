import type { Checker, EndExpectations } from "../checker.ts";
import type { Place } from "./place.ts";
import type { Process } from "./processes.ts";
import { endInWords, runProgram, type StartOptions } from "./run-program.ts";

/** What a place is finished with. */
export interface FinishOptions extends EndExpectations {
  /** Processes that were there before. */
  readonly known?: readonly Process[];
  readonly start?: StartOptions;
}

/**
 * With the faults ended: runs the program to its end and checks everything; where entries have failed for a
 * reason that was to be expected, their retry brings them all to a document. Gives how many had failed.
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
  await runAndCheck(place, checker, `${when}, tried again`, again, known, rest);
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

/** What the program said of an error, if it did. */
export function lastError(lines: readonly { readonly type: string }[]): string {
  const line = lines.findLast(({ type }) => type === "error");
  return line === undefined ? "" : JSON.stringify(line);
}
