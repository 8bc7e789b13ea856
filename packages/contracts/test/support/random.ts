/** A pseudorandom number generator (mulberry32). */
export class Random {
  #state: number;
  /** Number of nodes that the generated document may still get. */
  budget: number;

  constructor(seed: number, budget: number) {
    this.#state = seed | 0;
    this.budget = budget;
  }

  /** Returns an integer from 0 to `limit` - 1. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  /** Returns true in one of `cases` cases, on average. */
  oneIn(cases: number): boolean {
    return this.below(cases) === 0;
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.below(choices.length)];
    if (choice === undefined) throw new Error("The list of choices is empty.");
    return choice;
  }

  /** Makes `min` to `max` items; more than `min` only while the budget lasts. */
  several<T>(min: number, max: number, make: () => T): T[] {
    const count = min + this.below(max - min + 1);
    const made: T[] = [];
    while (made.length < count && (made.length < min || this.budget > 0)) made.push(make());
    return made;
  }
}
