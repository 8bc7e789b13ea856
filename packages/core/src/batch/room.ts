/** Room for so much at a time; who does not fit waits, in order. */
export interface Room {
  /** Resolves when there is room for an amount; for more than there is at all, when nothing else is in. */
  take(amount: number): Promise<void>;
  /** Gives an amount back. */
  give(amount: number): void;
}

interface Waiting {
  readonly amount: number;
  readonly enter: () => void;
}

/** An empty room. */
export function room(size: number): Room {
  const waiting: Waiting[] = [];
  let taken = 0;
  const fits = (amount: number): boolean => taken + amount <= size || taken <= 0;
  return {
    async take(amount) {
      if (waiting.length > 0 || !fits(amount)) {
        await new Promise<void>((enter) => waiting.push({ amount, enter }));
      } else {
        taken += amount;
      }
    },
    give(amount) {
      taken -= amount;
      for (let [next] = waiting; next !== undefined && fits(next.amount); [next] = waiting) {
        waiting.shift();
        taken += next.amount;
        next.enter();
      }
    },
  };
}
