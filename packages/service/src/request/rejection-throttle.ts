/** The interval in milliseconds between a tenant's rejections after the first `FIRST` ones. */
const EVERY_MS = 5;
/** The number of rejections that are sent without delay. */
const FIRST = 100;
/** The maximum delay of a rejection in milliseconds. */
const LONGEST_MS = 2000;
/** The number of tenants above which tenants without recent rejections are removed. */
const MANY_TENANTS = 10_000;

/**
 * Limits the rate of a tenant's rejections after the first ones. Most clients send the next request when they have
 * received a response, and each rejected request takes processing time from other requests.
 */
export class RejectionThrottle {
  /** The time of each tenant's next rejection, calculated as if the first rejections had also been delayed. */
  readonly #next = new Map<string, number>();

  /** Resolves when the rejection may be sent. */
  async turn(tenant: string): Promise<void> {
    const now = performance.now();
    const earliest = now - FIRST * EVERY_MS;
    const at = Math.min(Math.max(this.#next.get(tenant) ?? earliest, earliest), now + LONGEST_MS);
    this.#next.set(tenant, at + EVERY_MS);
    if (this.#next.size > MANY_TENANTS) this.#forget(earliest);
    if (at > now) await new Promise((resolve) => setTimeout(resolve, at - now));
  }

  #forget(earliest: number): void {
    for (const [tenant, next] of this.#next) if (next <= earliest) this.#next.delete(tenant);
  }
}
