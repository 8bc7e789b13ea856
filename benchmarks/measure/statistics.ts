/** The spread of several measurements of the same quantity. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Returns the median and the extremes. Throws for an empty list. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) throw new Error("The list of measurements is empty.");
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? max;
  const median = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? min) + upper) / 2;
  return { median, min, max };
}
