import type { JobFailure } from "../ports/job-records.ts";

const MAX_TRIES = 5;
/** What takes too long once more has taken so long twice; that is enough. */
const MAX_TIMEOUTS = 2;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 60_000;

/**
 * After how long another attempt is worth it, growing from try to try and never quite the same; null when
 * none is. `failures`: how many attempts have ended so before.
 */
export function retryDelayMs(
  { retryable, code }: JobFailure,
  failures: number,
  random: () => number = Math.random,
): number | null {
  const max = code === "timeout" ? MAX_TIMEOUTS : MAX_TRIES;
  if (!retryable || failures + 1 >= max) return null;
  const delay = Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS);
  return Math.round(delay * (0.5 + random() / 2));
}
