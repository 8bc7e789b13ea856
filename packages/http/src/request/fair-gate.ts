import { tooMany, unavailable } from "../wire/problem.ts";
import { Arrivals } from "./arrivals.ts";

/** How many requests are worked on. */
export interface GateLimits {
  /** At the same time. The others wait, tenants in turn. */
  readonly places: number;
  /** Of one tenant at the same time, so that slow ones never have all places. Default: as many as there are. */
  readonly placesPerTenant?: number;
  /** A tenant gets no more places than it leaves free, so that the next one finds some. Default false. */
  readonly leavesPlaces?: boolean;
  /**
   * The same while other tenants come as well, of requests that are through soon; what takes longer waits for something
   * else and delays nobody. A place rests for as long as it was taken, when more of the tenant's requests wait: what one
   * does in a turn of the event loop, all others wait for. Default: no fewer places, and no rest.
   */
  readonly placesWhenShared?: number;
  /** Of one tenant that wait; more are refused. */
  readonly waitingPerTenant: number;
  /** Of all tenants that wait; more are refused. */
  readonly waiting: number;
}

type Waiting = (release: () => void) => void;

const RETRY_SECONDS = 1;
/** What is through by then is soon through. */
const SOON_MS = 20;

/** How many requests of a tenant are let in, and how many places these take while the gate is shared. */
interface Inside {
  all: number;
  busy: number;
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
  readonly #arrivals: Arrivals;
  #free: number;
  readonly #inside = new Map<string, Inside>();
  #waiting = 0;
  #isNextSoon = false;
  /** By tenant; the one whose turn is next stands first. */
  readonly #lines = new Map<string, Waiting[]>();

  /** `now` counts milliseconds and never goes back. Gates with the same arrivals know of each other's tenants. */
  constructor(
    limits: GateLimits,
    now: () => number = () => performance.now(),
    arrivals: Arrivals = new Arrivals(now),
  ) {
    this.#limits = limits;
    this.#now = now;
    this.#arrivals = arrivals;
    this.#placesPerTenant = limits.placesPerTenant ?? limits.places;
    // With none, nobody would be let in while others come.
    this.#placesWhenShared = Math.max(1, limits.placesWhenShared ?? Number.POSITIVE_INFINITY);
    this.#free = limits.places;
  }

  /** Whether nobody more can wait. */
  get isFull(): boolean {
    return this.#waiting >= this.#limits.waiting;
  }

  /**
   * Resolves with a function that gives the place back; call it once. Throws 429 or 503 when too many wait. It never
   * throws with `isBack`, for a request that gave its place back while it had nothing to do.
   */
  async enter(tenant: string, { isBack = false } = {}): Promise<() => void> {
    this.#arrivals.note(tenant);
    // Nobody overtakes those who are about to be let in.
    const isNext = !this.#isNextSoon && this.#free > 0 && this.#hasPlace(tenant);
    if (isNext) return this.#letIn(tenant);
    const line = this.#lines.get(tenant) ?? [];
    if (!isBack && line.length >= this.#limits.waitingPerTenant) {
      throw tooMany("Too many of your requests wait already. Send fewer at once.", RETRY_SECONDS);
    }
    if (!isBack && this.isFull) {
      throw unavailable("Too many requests wait already.", RETRY_SECONDS);
    }
    this.#lines.set(tenant, line);
    this.#waiting += 1;
    return new Promise((resolve) => line.push(resolve));
  }

  #hasPlace(tenant: string): boolean {
    const { all, busy } = this.#inside.get(tenant) ?? { all: 0, busy: 0 };
    if (all >= this.#placesPerTenant) return false;
    if (this.#limits.leavesPlaces === true && all >= this.#free) return false;
    return busy < this.#placesWhenShared || !this.#arrivals.isShared(tenant);
  }

  #letIn(tenant: string): () => void {
    const inside = this.#inside.get(tenant) ?? { all: 0, busy: 0 };
    this.#inside.set(tenant, inside);
    this.#free -= 1;
    inside.all += 1;
    inside.busy += 1;
    const enteredAt = this.#now();
    let isBusy = true;
    const rested = (): void => {
      isBusy = false;
      inside.busy -= 1;
      this.#goOn(tenant, inside);
    };
    const takesLong = setTimeout(rested, SOON_MS);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      clearTimeout(takesLong);
      this.#free += 1;
      inside.all -= 1;
      if (!isBusy) this.#goOn(tenant, inside);
      else this.#rest(tenant, this.#now() - enteredAt, rested);
    };
  }

  #rest(tenant: string, busyMs: number, rested: () => void): void {
    if (this.#placesWhenShared === Number.POSITIVE_INFINITY || !this.#arrivals.isShared(tenant)) {
      rested();
      return;
    }
    // What comes in the same turn of the event loop stands in line then. Who has nothing there is not in a hurry.
    setImmediate(() => {
      if (this.#lines.has(tenant)) setTimeout(rested, Math.min(busyMs, SOON_MS));
      else rested();
    });
  }

  #goOn(tenant: string, { all, busy }: Inside): void {
    if (all === 0 && busy === 0) this.#inside.delete(tenant);
    this.#nextSoon();
  }

  /**
   * One in each turn of the event loop: requests that are through without waiting for anything would follow each other
   * by the hundred, and nothing else in the process would have a turn.
   */
  #nextSoon(): void {
    if (this.#isNextSoon || this.#waiting === 0) return;
    this.#isNextSoon = true;
    setImmediate(() => {
      this.#isNextSoon = false;
      this.#next();
    });
  }

  /** Lets the next one of those who wait in, when there is a place for it and for its tenant; then the others. */
  #next(): void {
    const tenant = this.#free > 0 ? this.#firstWithPlace() : undefined;
    const line = tenant === undefined ? undefined : this.#lines.get(tenant);
    if (tenant === undefined || line === undefined) return;
    const enter = line.shift();
    // To the end of the order, or out of it.
    this.#lines.delete(tenant);
    if (line.length > 0) this.#lines.set(tenant, line);
    this.#waiting -= 1;
    enter?.(this.#letIn(tenant));
    this.#nextSoon();
  }

  #firstWithPlace(): string | undefined {
    for (const tenant of this.#lines.keys()) if (this.#hasPlace(tenant)) return tenant;
    return undefined;
  }
}
