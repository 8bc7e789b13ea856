/** Who has come within this time counts as one who comes. */
const RECENT_MS = 2000;

interface Arrival {
  readonly tenant: string;
  at: number;
}

/** Who came last. Gates of one service share it: whoever is at one of them is delayed by what another one lets in. */
export class Arrivals {
  readonly #now: () => number;
  /** Who came last, and who came last of all others. */
  #latest: Arrival | null = null;
  #before: Arrival | null = null;

  /** `now` counts milliseconds and never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  note(tenant: string): void {
    const at = this.#now();
    if (this.#latest?.tenant === tenant) {
      this.#latest.at = at;
      return;
    }
    this.#before = this.#latest;
    this.#latest = { tenant, at };
  }

  /** Whether others than this one have come of late. */
  isShared(tenant: string): boolean {
    const other = this.#latest?.tenant === tenant ? this.#before : this.#latest;
    return other !== null && this.#now() - other.at < RECENT_MS;
  }
}
