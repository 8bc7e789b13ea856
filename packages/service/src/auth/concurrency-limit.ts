import { cannotCheck } from "./authenticate.ts";

/** Runs work as soon as the limit permits it, in order of arrival. */
export type ConcurrencyLimit = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Runs up to `places` requests at a time and lets up to `mostWaiting` requests wait. Further requests immediately
 * reject `unavailable`, retryable. The queue must be limited, because anybody can send any number of unknown tokens.
 */
export function limitConcurrency(places: number, mostWaiting: number): ConcurrencyLimit {
  const waiting: (() => void)[] = [];
  let free = places;
  return async (work) => {
    if (free > 0) free -= 1;
    else if (waiting.length >= mostWaiting) throw tooMany();
    // A finished request lets the first waiting request start.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

function tooMany(): Error {
  return cannotCheck("too many tokens are waiting for the issuer", "Try again later", undefined);
}
