/** The pause after the first attempt; it doubles with each further one. */
export const FIRST_RETRY_MS = 10_000;
/** The longest pause between two attempts. */
export const LONGEST_RETRY_MS = 15 * 60_000;
/** For how long a delivery is tried. */
export const GIVE_UP_MS = 2 * 60 * 60_000;
/** How much a pause is changed at random, so that what failed together does not come back together. */
const JITTER = 0.2;

/**
 * When a delivery is tried again: 10 s, 20 s, 40 s … 15 min after `now`, each 20 % more or less. Null when
 * that would be after `giveUpAt`. `attempts` counts those that have failed, from 1; moments are in
 * milliseconds since 1970.
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
