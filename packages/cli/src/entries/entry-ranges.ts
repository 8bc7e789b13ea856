/** The entries from one number to another, both included. `to` may be `Infinity`. */
interface EntryRange {
  readonly from: number;
  readonly to: number;
}

/** Thrown for text that is not a list of entry numbers. The message is a sentence for users. */
export class RangesError extends Error {}

const RANGE = /^(\d{1,15})(?:(-)(\d{1,15})?)?$/;

/** A set of entry numbers, from 1, as ascending ranges. Immutable. */
export class EntryRanges {
  /** In ascending order. At least one number lies between two ranges and belongs to neither. */
  readonly #ranges: readonly EntryRange[];
  /** For each range, the number of entries in the ranges before it. */
  readonly #before: readonly number[];

  private constructor(ranges: readonly EntryRange[]) {
    this.#ranges = joined(ranges);
    let before = 0;
    this.#before = this.#ranges.map(({ from, to }) => {
      const sum = before;
      before += to - from + 1;
      return sum;
    });
  }

  /** All entries. */
  static readonly ALL = new EntryRanges([{ from: 1, to: Number.POSITIVE_INFINITY }]);

  /** Creates a set of numbers, which must be in ascending order. */
  static of(numbers: Iterable<number>): EntryRanges {
    const ranges: { from: number; to: number }[] = [];
    for (const number of numbers) {
      const last = ranges.at(-1);
      if (last?.to === number - 1) last.to = number;
      else ranges.push({ from: number, to: number });
    }
    return new EntryRanges(ranges);
  }

  /** Parses a list such as `5,9-20,100-`. Throws {@link RangesError}. */
  static parse(text: string): EntryRanges {
    return new EntryRanges(text.split(",").map((each) => parseRange(each.trim())));
  }

  /** The number of entries; may be `Infinity`. */
  get size(): number {
    const last = this.#ranges.at(-1);
    return last === undefined ? 0 : (this.#before.at(-1) ?? 0) + last.to - last.from + 1;
  }

  /** The highest number; 0 for an empty set, and `Infinity` for an open range. */
  get last(): number {
    return this.#ranges.at(-1)?.to ?? 0;
  }

  /** Whether the set contains a number. */
  has(number: number): boolean {
    const range = this.#ranges[lastIndex(this.#ranges, ({ from }) => from <= number)];
    return range !== undefined && number <= range.to;
  }

  /** Returns the number at a position, from 1. Throws a `RangeError` if the set is smaller. */
  numberAt(position: number): number {
    const index = lastIndex(this.#before, (before) => before < position);
    const range = this.#ranges[index];
    if (range === undefined) throw new RangeError(`The set is smaller than ${position} entries.`);
    return range.from + position - 1 - (this.#before[index] ?? 0);
  }

  /** Returns the numbers of the set up to `most`, inclusive. */
  upTo(most: number): EntryRanges {
    const ranges = this.#ranges.filter(({ from }) => from <= most);
    return new EntryRanges(ranges.map(({ from, to }) => ({ from, to: Math.min(to, most) })));
  }

  /** Returns the lowest numbers of the set, at most `count` of them. */
  first(count: number): EntryRanges {
    return count >= this.size ? this : this.upTo(this.numberAt(count));
  }

  /** Returns the numbers from one position to another, both included. Throws a `RangeError` if the set is smaller. */
  between(first: number, last: number): EntryRanges {
    const [from, to] = [this.numberAt(first), this.numberAt(last)];
    const ranges = this.upTo(to).#ranges.filter((range) => range.to >= from);
    return new EntryRanges(ranges.map((range) => ({ ...range, from: Math.max(range.from, from) })));
  }

  /** Returns the text that {@link parse} reads; empty for an empty set. */
  toString(): string {
    const texts = this.#ranges.map(({ from, to }) => {
      if (to === Number.POSITIVE_INFINITY) return `${from}-`;
      return from === to ? String(from) : `${from}-${to}`;
    });
    return texts.join(",");
  }
}

function parseRange(text: string): EntryRange {
  const match = RANGE.exec(text);
  if (match === null) {
    throw new RangesError(
      text === ""
        ? "A number is missing. An example is 5,9-20."
        : `${JSON.stringify(text)} is neither a number nor a range. An example is 5,9-20.`,
    );
  }
  const [, first, dash, last] = match;
  const from = Number(first);
  const to = last === undefined ? (dash ? Number.POSITIVE_INFINITY : from) : Number(last);
  if (from === 0) throw new RangesError("The first entry has the number 1.");
  if (to < from) throw new RangesError(`The range ${text} ends before it begins.`);
  return { from, to };
}

function joined(ranges: readonly EntryRange[]): EntryRange[] {
  const sorted = [...ranges].sort((a, b) => a.from - b.from);
  const result: { from: number; to: number }[] = [];
  for (const { from, to } of sorted) {
    const last = result.at(-1);
    if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}

/** Returns the index of the last item that passes a test, or -1. All items before it must pass, too. */
function lastIndex<T>(items: readonly T[], test: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
