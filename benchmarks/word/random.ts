/** A generator of pseudo-random numbers. Equal seeds give equal numbers on every machine. */
export interface Random {
  /** Returns a non-negative integer below `limit`. */
  below(limit: number): number;
  /** Returns one of the items, with equal probability. */
  pick<T>(items: readonly T[]): T;
}

/** Creates a Mulberry32 generator, which is small and good enough for text and pixels. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    pick: <T>(items: readonly T[]): T => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error("The list of items is empty.");
      return item;
    },
  };
}
