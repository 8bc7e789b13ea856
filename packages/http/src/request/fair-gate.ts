import { tooMany, unavailable } from "../wire/problem.ts";

/** How many requests are worked on. */
export interface GateLimits {
  /** At the same time. The others wait, tenants in turn. */
  readonly places: number;
  /** Of one tenant at the same time, so that slow ones never have all places. Default: as many as there are. */
  readonly placesPerTenant?: number;
  /** Of one tenant that wait; more are refused. */
  readonly waitingPerTenant: number;
  /** Of all tenants that wait; more are refused. */
  readonly waiting: number;
}

type Waiting = (release: () => void) => void;

const RETRY_SECONDS = 1;

/**
 * Lets a bounded number of requests through at a time. Those that wait come in turn by tenant, so that one who
 * sends thousands stands in its own way only.
 */
export class FairGate {
  readonly #limits: GateLimits;
  readonly #placesPerTenant: number;
  #free: number;
  /** Of each tenant, how many are let in. */
  readonly #inside = new Map<string, number>();
  #waiting = 0;
  /** By tenant; the one whose turn is next stands first. */
  readonly #lines = new Map<string, Waiting[]>();

  constructor(limits: GateLimits) {
    this.#limits = limits;
    this.#placesPerTenant = limits.placesPerTenant ?? limits.places;
    this.#free = limits.places;
  }

  /** Whether nobody more can wait. */
  get isFull(): boolean {
    return this.#waiting >= this.#limits.waiting;
  }

  /** Resolves with what gives the place back, to be called once. Throws 429 or 503 when too many wait. */
  async enter(tenant: string): Promise<() => void> {
    if (this.#free > 0 && this.#hasPlace(tenant)) return this.#letIn(tenant);
    const line = this.#lines.get(tenant) ?? [];
    if (line.length >= this.#limits.waitingPerTenant) {
      throw tooMany("Too many of your requests wait already. Send fewer at once.", RETRY_SECONDS);
    }
    if (this.isFull) throw unavailable("Too many requests wait already.", RETRY_SECONDS);
    this.#lines.set(tenant, line);
    this.#waiting += 1;
    return new Promise((resolve) => line.push(resolve));
  }

  #hasPlace(tenant: string): boolean {
    return (this.#inside.get(tenant) ?? 0) < this.#placesPerTenant;
  }

  #letIn(tenant: string): () => void {
    this.#free -= 1;
    this.#inside.set(tenant, (this.#inside.get(tenant) ?? 0) + 1);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#leave(tenant);
    };
  }

  #leave(tenant: string): void {
    this.#free += 1;
    const inside = (this.#inside.get(tenant) ?? 1) - 1;
    if (inside === 0) this.#inside.delete(tenant);
    else this.#inside.set(tenant, inside);
    this.#next();
  }

  /** Lets in the first of those who wait and whose tenant has a place left. */
  #next(): void {
    for (const [tenant, line] of this.#lines) {
      if (!this.#hasPlace(tenant)) continue;
      const enter = line.shift();
      // To the end of the order, or out of it.
      this.#lines.delete(tenant);
      if (line.length > 0) this.#lines.set(tenant, line);
      this.#waiting -= 1;
      enter?.(this.#letIn(tenant));
      return;
    }
  }
}
