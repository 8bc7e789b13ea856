/** The interval between a tenant's rejections after the first ones, unless the delay would exceed `LONGEST_MS`. */
const EVERY_MS = 5;
/** The number of rejections that are sent without delay. */
const FIRST = 100;
/** The maximum delay of a rejection. */
const LONGEST_MS = 2000;
/** Above this number, tenants without recent rejections are removed. */
const MANY_TENANTS = 10_000;

/**
 * Limits the rate of a tenant's rejections after the first ones. Most clients send the next request when they have
 * received a response, and each rejected request takes some time from all others.
 */
export class RejectionThrottle {
  /** By tenant: the time of the next rejection, calculated as if the first ones had also been delayed. */
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
