import { tooMany, unavailable } from "@quire/http/parts";
import { ActiveTenants } from "./active-tenants.ts";

/** Limits of a {@link FairGate}. */
export interface GateLimits {
  /** The maximum number of requests that are let in at the same time. The others wait, and tenants take turns. */
  readonly places: number;
  /**
   * The maximum number of places for one tenant, so that its slow requests never occupy all places. Default: `places`.
   */
  readonly placesPerTenant?: number;
  /** Whether a tenant gets another place only while it occupies fewer places than are free. Default: false. */
  readonly leavesPlaces?: boolean;
  /**
   * Like `placesPerTenant`, but applies only while other tenants also send requests, and counts each request only for
   * its first 20 ms. A longer request waits for I/O and does not block the event loop. If more requests of the tenant
   * are waiting, it cannot reuse a released place for as long as the place was occupied, but at most 20 ms. Otherwise,
   * its work on the event loop would delay all other tenants. Default: no such limit and no pause.
   */
  readonly placesWhenShared?: number;
  /** The maximum number of waiting requests per tenant. Further requests are rejected. */
  readonly waitingPerTenant: number;
  /** The maximum number of waiting requests of all tenants. Further requests are rejected. */
  readonly waiting: number;
}

type Waiting = (release: () => void) => void;

const RETRY_SECONDS = 1;
/** Time in milliseconds after which a request no longer counts toward `placesWhenShared`. */
const SOON_MS = 20;

/** The number of a tenant's requests that have a place, and the number that counts toward `placesWhenShared`. */
interface Inside {
  all: number;
  busy: number;
}

/**
 * Lets a limited number of requests through at a time. Waiting tenants take turns, so a tenant that sends thousands of
 * requests delays only itself.
 */
export class FairGate {
  readonly #limits: GateLimits;
  readonly #placesPerTenant: number;
  readonly #placesWhenShared: number;
  readonly #now: () => number;
  readonly #active: ActiveTenants;
  #free: number;
  readonly #inside = new Map<string, Inside>();
  #waiting = 0;
  #isNextScheduled = false;
  /** The queues by tenant. The tenant whose turn is next comes first. */
  readonly #queues = new Map<string, Waiting[]>();

  /** `now` returns milliseconds and never decreases. Gates that affect each other must share the same `active`. */
  constructor(
    limits: GateLimits,
    now: () => number = () => performance.now(),
    active: ActiveTenants = new ActiveTenants(now),
  ) {
    this.#limits = limits;
    this.#now = now;
    this.#active = active;
    this.#placesPerTenant = limits.placesPerTenant ?? limits.places;
    // With 0 places, no request would be let in while other tenants send requests.
    this.#placesWhenShared = Math.max(1, limits.placesWhenShared ?? Number.POSITIVE_INFINITY);
    this.#free = limits.places;
  }

  /** Whether no further request can wait. */
  get isFull(): boolean {
    return this.#waiting >= this.#limits.waiting;
  }

  /**
   * Resolves with a function that releases the place. Throws a 429 or 503 if too many requests are waiting, but never
   * if `isBack` is true. Set `isBack` for a request that released its place while it had nothing to do.
   */
  async enter(tenant: string, { isBack = false } = {}): Promise<() => void> {
    this.#active.note(tenant);
    // Requests that are already scheduled to be let in come first.
    const isNext = !this.#isNextScheduled && this.#free > 0 && this.#hasPlace(tenant);
    if (isNext) return this.#admit(tenant);
    const queue = this.#queues.get(tenant) ?? [];
    if (!isBack && queue.length >= this.#limits.waitingPerTenant) {
      throw tooMany("You have too many waiting requests. Send fewer at once.", RETRY_SECONDS);
    }
    if (!isBack && this.isFull) {
      throw unavailable("Too many requests are waiting. Try again later.", RETRY_SECONDS);
    }
    this.#queues.set(tenant, queue);
    this.#waiting += 1;
    return new Promise((resolve) => queue.push(resolve));
  }

  #hasPlace(tenant: string): boolean {
    const { all, busy } = this.#inside.get(tenant) ?? { all: 0, busy: 0 };
    if (all >= this.#placesPerTenant) return false;
    if (this.#limits.leavesPlaces === true && all >= this.#free) return false;
    return busy < this.#placesWhenShared || !this.#active.isShared(tenant);
  }

  #admit(tenant: string): () => void {
    const inside = this.#inside.get(tenant) ?? { all: 0, busy: 0 };
    this.#inside.set(tenant, inside);
    this.#free -= 1;
    inside.all += 1;
    inside.busy += 1;
    const enteredAt = this.#now();
    let isBusy = true;
    const endRest = (): void => {
      isBusy = false;
      inside.busy -= 1;
      this.#afterRelease(tenant, inside);
    };
    const longTimer = setTimeout(endRest, SOON_MS);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      clearTimeout(longTimer);
      this.#free += 1;
      inside.all -= 1;
      if (!isBusy) this.#afterRelease(tenant, inside);
      else this.#rest(tenant, this.#now() - enteredAt, endRest);
    };
  }

  #rest(tenant: string, busyMs: number, endRest: () => void): void {
    if (this.#placesWhenShared === Number.POSITIVE_INFINITY || !this.#active.isShared(tenant)) {
      endRest();
      return;
    }
    // By the time this callback runs, requests from the same turn of the event loop are in the queue. If the tenant has
    // no queue, no pause is needed.
    setImmediate(() => {
      if (this.#queues.has(tenant)) setTimeout(endRest, Math.min(busyMs, SOON_MS));
      else endRest();
    });
  }

  #afterRelease(tenant: string, { all, busy }: Inside): void {
    if (all === 0 && busy === 0) this.#inside.delete(tenant);
    this.#scheduleNext();
  }

  /**
   * Lets in one request per turn of the event loop. Otherwise, hundreds of requests that never wait for anything would
   * run one after the other, and nothing else in the process could run.
   */
  #scheduleNext(): void {
    if (this.#isNextScheduled || this.#waiting === 0) return;
    this.#isNextScheduled = true;
    setImmediate(() => {
      this.#isNextScheduled = false;
      this.#next();
    });
  }

  /** Lets in the next waiting request whose tenant may have a free place, and schedules the one after it. */
  #next(): void {
    const tenant = this.#free > 0 ? this.#firstWithPlace() : undefined;
    const queue = tenant === undefined ? undefined : this.#queues.get(tenant);
    if (tenant === undefined || queue === undefined) return;
    const enter = queue.shift();
    // The tenant moves to the end of the order, or is removed if its queue is empty.
    this.#queues.delete(tenant);
    if (queue.length > 0) this.#queues.set(tenant, queue);
    this.#waiting -= 1;
    enter?.(this.#admit(tenant));
    this.#scheduleNext();
  }

  #firstWithPlace(): string | undefined {
    for (const tenant of this.#queues.keys()) if (this.#hasPlace(tenant)) return tenant;
    return undefined;
  }
}
