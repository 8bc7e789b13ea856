/** How long a tenant counts as active after a request, in milliseconds. */
const RECENT_MS = 2000;

interface Activity {
  readonly tenant: string;
  at: number;
}

/**
 * Tracks the tenants that sent the most recent requests. The gates of a service share one instance, because requests in
 * one gate delay requests in another.
 */
export class ActiveTenants {
  readonly #now: () => number;
  /** The tenant that sent the latest request. `#before` is the latest other tenant. */
  #latest: Activity | null = null;
  #before: Activity | null = null;

  /** `now` returns milliseconds and never decreases. */
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

  /** Whether other tenants have sent requests recently. */
  isShared(tenant: string): boolean {
    const other = this.#latest?.tenant === tenant ? this.#before : this.#latest;
    return other !== null && this.#now() - other.at < RECENT_MS;
  }
}
