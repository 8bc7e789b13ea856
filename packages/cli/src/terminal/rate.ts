/** The rate is measured over this time, or over a longer time if fewer than `MIN_ITEMS` were done in this time. */
const WINDOW_MS = 15_000;
const MIN_ITEMS = 8;
/** The time between two samples, and the minimum time over which a rate is measured. */
const SAMPLE_MS = 250;
const MIN_SPAN_MS = 2_000;

interface Sample {
  readonly at: number;
  readonly done: number;
}

/**
 * Measures the current speed of a command. Measuring begins with the first update, so that neither the start of
 * processes nor items of an earlier command count.
 */
export class Rate {
  readonly #samples: Sample[] = [];
  #last: Sample | undefined;

  /** Adds a sample. `at` is a time in milliseconds. `done` never decreases. */
  add(at: number, done: number): void {
    const last = this.#samples.at(-1);
    if (last === undefined || at - last.at >= SAMPLE_MS) this.#samples.push({ at, done });
    this.#last = { at, done };
    while (this.#isDispensable(at, done)) this.#samples.shift();
  }

  /**
   * Returns the items per second at a time in milliseconds; null until there are enough items and enough time has
   * passed.
   */
  perSecond(at: number): number | null {
    const [first] = this.#samples;
    if (first === undefined || this.#last === undefined) return null;
    const [items, spanMs] = [this.#last.done - first.done, at - first.at];
    return items > 0 && spanMs >= MIN_SPAN_MS ? (items * 1000) / spanMs : null;
  }

  /** Whether the first sample can be dropped, because the later samples are enough. */
  #isDispensable(at: number, done: number): boolean {
    const second = this.#samples[1];
    return second !== undefined && at - second.at >= WINDOW_MS && done - second.done >= MIN_ITEMS;
  }
}
