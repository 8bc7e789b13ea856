import { cannotCheck } from "./authenticate.ts";

/** Runs work when there is a place for it, in the order in which it came. */
export type QuestionLine = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Lets `places` questions be under way at the same time and `mostWaiting` wait for a place; one more than that rejects
 * `unavailable`, retryable, at once: anybody can send tokens that nobody knows, as many as they like.
 */
export function questionLine(places: number, mostWaiting: number): QuestionLine {
  const waiting: (() => void)[] = [];
  let free = places;
  return async (work) => {
    if (free > 0) free -= 1;
    else if (waiting.length >= mostWaiting) throw tooMany();
    // Whoever leaves gives their place to the one who stands first.
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
  return cannotCheck(
    "too many others wait to be checked with the issuer",
    "Try again later",
    undefined,
  );
}
