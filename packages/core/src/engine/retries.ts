import type { JobFailure } from "@quire/contracts";

const MAX_TRIES = 5;
/** A document that takes too long twice is not tried again. */
const MAX_TIMEOUTS = 2;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 60_000;

/**
 * The delay before the next attempt, which grows with each attempt and is randomized; null if no attempt should follow.
 * `failures`: number of earlier attempts that ended in a retryable error.
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
