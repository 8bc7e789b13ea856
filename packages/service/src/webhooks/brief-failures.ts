import { cutText, type Diagnostic, type Job } from "@quire/core/host";
import type { failuresOf } from "@quire/http/parts";

/** The maximum number of characters of a failure message in a delivery. The job has the full message. */
const MAX_LENGTH = 300;
const MAX_COUNT = 3;

/** Returns {@link failuresOf} for a delivery: the first few failures, shortened, and the number of the others. */
export function briefFailuresOf(job: Job): ReturnType<typeof failuresOf> {
  const { errors, warnings } = job;
  if (errors.length === 0 && warnings.length === 0) return null;
  const brief = (all: readonly Diagnostic[]): string[] => {
    const shown = all.slice(0, MAX_COUNT).map(({ message }) => cutText(message, MAX_LENGTH));
    const more = countOf(all) - shown.length;
    return more === 0 ? shown : [...shown, `… and ${more} more: see the job ${job.id}.`];
  };
  return { errors: brief(errors), warnings: brief(warnings) };
}

/** Returns the number of problems, including those that were not listed. */
function countOf(all: readonly Diagnostic[]): number {
  const numbers = all.map(({ code, count = 1 }) => (code === "more_problems" ? count : 1));
  return numbers.reduce((sum, each) => sum + each, 0);
}
