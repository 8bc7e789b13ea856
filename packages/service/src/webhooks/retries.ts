/** The pause after the first attempt, in milliseconds. It doubles after each further attempt. */
export const FIRST_RETRY_MS = 10_000;
/** The maximum pause between two attempts, in milliseconds. */
export const LONGEST_RETRY_MS = 15 * 60_000;
/** How long a delivery is retried, in milliseconds. */
export const GIVE_UP_MS = 2 * 60 * 60_000;
/**
 * The maximum random variation of a pause, as a fraction. It prevents simultaneous retries after simultaneous failures.
 */
const JITTER = 0.2;

/**
 * Returns the time of the next attempt: 10 s, 20 s, 40 s … 15 min after `now`, each varied by up to 20%. Returns null
 * if that is after `giveUpAt`. `attempts` is the number of failed attempts, from 1. Times are in milliseconds since
 * 1970.
 */
export function nextAttemptAt(
  attempts: number,
  now: number,
  giveUpAt: number,
  random: () => number = Math.random,
): number | null {
  const pauseMs = Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LONGEST_RETRY_MS);
  const at = now + Math.round(pauseMs * (1 - JITTER + 2 * JITTER * random()));
  return at > giveUpAt ? null : at;
}
