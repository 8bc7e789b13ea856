import { tooMany, unavailable } from "../wire/problem.ts";

/** How many requests are worked on. */
export interface GateLimits {
  /** At the same time. The others wait, tenants in turn. */
  readonly places: number;
  /** Of one tenant at the same time, so that slow ones never have all places. Default: as many as there are. */
  readonly placesPerTenant?: number;
  /** The same while other tenants come as well, since what one has in work delays all. Default: no fewer. */
  readonly placesWhenShared?: number;
  /** Of one tenant that wait; more are refused. */
  readonly waitingPerTenant: number;
  /** Of all tenants that wait; more are refused. */
  readonly waiting: number;
}

type Waiting = (release: () => void) => void;

const RETRY_SECONDS = 1;
/** Who has come within this time counts as one who comes. */
const RECENT_MS = 2000;

interface Arrival {
  readonly tenant: string;
  at: number;
}

/**
 * Lets a bounded number of requests through at a time. Those that wait come in turn by tenant, so that one who
 * sends thousands stands in its own way only.
 */
export class FairGate {
  readonly #limits: GateLimits;
  readonly #placesPerTenant: number;
  readonly #placesWhenShared: number;
  readonly #now: () => number;
  /** Who came last, and who came last of all others. */
  #latest: Arrival | null = null;
  #before: Arrival | null = null;
  #free: number;
  /** Of each tenant, how many are let in. */
  readonly #inside = new Map<string, number>();
  #waiting = 0;
  /** By tenant; the one whose turn is next stands first. */
  readonly #lines = new Map<string, Waiting[]>();

  /** `now` counts milliseconds and never goes back. */
  constructor(limits: GateLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    this.#placesPerTenant = limits.placesPerTenant ?? limits.places;
    this.#placesWhenShared = limits.placesWhenShared ?? this.#placesPerTenant;
    this.#free = limits.places;
  }

  /** Whether nobody more can wait. */
  get isFull(): boolean {
    return this.#waiting >= this.#limits.waiting;
  }

  /** Resolves with what gives the place back, to be called once. Throws 429 or 503 when too many wait. */
  async enter(tenant: string): Promise<() => void> {
    this.#noteArrival(tenant);
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

  #noteArrival(tenant: string): void {
    const at = this.#now();
    if (this.#latest?.tenant === tenant) {
      this.#latest.at = at;
      return;
    }
    this.#before = this.#latest;
    this.#latest = { tenant, at };
  }

  #hasPlace(tenant: string): boolean {
    const other = this.#latest?.tenant === tenant ? this.#before : this.#latest;
    const isShared = other !== null && this.#now() - other.at < RECENT_MS;
    const places = isShared ? this.#placesWhenShared : this.#placesPerTenant;
    return (this.#inside.get(tenant) ?? 0) < places;
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

  /** Lets in those who wait, in their order, as far as there are places for them and for their tenants. */
  #next(): void {
    while (this.#free > 0) {
      const tenant = this.#firstWithPlace();
      const line = tenant === undefined ? undefined : this.#lines.get(tenant);
      if (tenant === undefined || line === undefined) return;
      const enter = line.shift();
      // To the end of the order, or out of it.
      this.#lines.delete(tenant);
      if (line.length > 0) this.#lines.set(tenant, line);
      this.#waiting -= 1;
      enter?.(this.#letIn(tenant));
    }
  }

  #firstWithPlace(): string | undefined {
    for (const tenant of this.#lines.keys()) if (this.#hasPlace(tenant)) return tenant;
    return undefined;
  }
}
