/** From one refusal of a tenant to the next, in the long run. */
const EVERY_MS = 5;
/** So many come at once. */
const FIRST = 100;
/** Nobody waits longer to be told. */
const LONGEST_MS = 2000;
/** Above so many, those that were refused nothing of late are forgotten. */
const MANY_TENANTS = 10_000;

/**
 * Tells refusals of a tenant at a bounded rate, after the first ones: most clients send the next request when they have
 * an answer, and each that is refused takes some of everybody's time.
 */
export class SlowRefusals {
  /** By tenant: the time of the next refusal, if the first ones had come in line as well. */
  readonly #next = new Map<string, number>();

  /** Resolves when a refusal may be told. */
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
