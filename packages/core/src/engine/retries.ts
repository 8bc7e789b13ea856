import { isQuireError, type JobFailure } from "@quire/contracts";

/** Minimum and maximum pause after a failure of the store. */
export const MIN_PAUSE_MS = 50;
export const MAX_PAUSE_MS = 1000;

/** Returns the length of the pause after a pause of this length. */
export function nextPause(pauseMs: number): number {
  return Math.min(2 * pauseMs, MAX_PAUSE_MS);
}

/** Whether a worker lost its lease. */
export function isLeaseLost(error: unknown): boolean {
  return isQuireError(error) && error.code === "lease_lost";
}

const MAX_TRIES = 5;
/** Maximum number of attempts at a document that takes too long. */
const MAX_TIMEOUTS = 2;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 60_000;

/**
 * Returns the delay before the next attempt in milliseconds; null if no attempt should follow. The delay is random and
 * grows with each attempt. `failures` is the number of earlier attempts that ended in a retryable error.
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
