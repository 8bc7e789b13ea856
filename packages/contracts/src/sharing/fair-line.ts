import { Queue } from "./queue.ts";
import { type Share, Shares } from "./shares.ts";

/** The owner of an item. */
export interface Sharer {
  /** Items with the same name share one tenant's time. */
  readonly tenant: string;
  /** A tenant of weight 2 gets twice the time of one of weight 1. Undefined: keeps the tenant's weight (1 at first). */
  readonly weight: number | undefined;
  /** The name of a template or a batch. The flows of a tenant take turns. */
  readonly flow: string;
}

/** Options of a {@link FairLine}. */
export interface FairLineOptions {
  /** The usual number of places, which is also the maximum for one tenant. */
  readonly places: number;
  /** A tenant keeps its place until it has used this much more time than a waiting tenant, in milliseconds. */
  readonly turnMs: number;
  /**
   * How long a tenant without a place waits before a spare place is opened, in milliseconds. Default: there is no spare
   * place.
   */
  readonly patienceMs?: number;
  /**
   * How long the spare place is kept after several tenants last had places at the same time, in milliseconds. Default
   * 0.
   */
  readonly keepSpareMs?: number;
  /**
   * Whether the last free place is closed to this tenant if it already has a place. Default: closed while there is a
   * spare place.
   */
  readonly leavesLast?: (tenant: string) => boolean;
}

interface Tenant<T> {
  readonly name: string;
  readonly flows: Shares<Queue<T>>;
  /** When the tenant began to wait without a place; null if it is not waiting without a place. */
  needySince: number | null;
}

/**
 * A queue for places that do work, such as processes. Tenants share their time: the next tenant is the one that has
 * used the least time relative to its weight. Of this tenant, the next flow is the one that has used the least time,
 * and its oldest item is next. A tenant gets no credit for time in which it had no work.
 *
 * The line itself never interrupts work, but its owner may do so if {@link isAwaited} returns true. Long work of others
 * may occupy all places. To help a tenant without a place, `leavesLast` can keep the last free place for such tenants,
 * or `patienceMs` opens a spare place after the tenant has waited this long. While the spare place exists, the last
 * free place is only for tenants without a place. The owner of the places uses `hasSpare` to know their number, and
 * `spareDueMs` to know when to check again.
 */
export class FairLine<T extends { readonly sharer: Sharer }> {
  readonly #options: Required<FairLineOptions>;
  readonly #waiting = new Set<T>();
  #running = 0;
  readonly #tenants = new Shares<Tenant<T>>((name) => ({
    name,
    flows: new Shares(() => new Queue((item) => this.#waiting.has(item))),
    needySince: null,
  }));
  #spareUntil = Number.NEGATIVE_INFINITY;

  constructor(options: FairLineOptions) {
    this.#options = {
      patienceMs: Number.POSITIVE_INFINITY,
      keepSpareMs: 0,
      leavesLast: () => this.hasSpare,
      ...options,
    };
  }

  /** The number of waiting items. */
  get length(): number {
    return this.#waiting.size;
  }

  /** Whether there may be one more place than usual. */
  get hasSpare(): boolean {
    return performance.now() < this.#spareUntil;
  }

  /** Adds an item at the end of its flow. */
  add(item: T): void {
    this.#join(item).push(item);
  }

  /** Puts an item that was already served back at the front of its flow. */
  addFirst(item: T): void {
    this.#join(item).unshift(item);
  }

  /** Removes an item from any position. */
  remove(item: T): void {
    if (!this.#waiting.delete(item)) return;
    const { tenant, flow } = this.#sharesOf(item.sharer);
    tenant.waiting -= 1;
    flow.waiting -= 1;
    this.#note(tenant, performance.now());
  }

  /** Returns the item that gets the next place while `free` places are free. Does not remove it. */
  next(free: number): T | undefined {
    const now = performance.now();
    const { places, turnMs, leavesLast } = this.#options;
    const may = ({ running, value }: Share<Tenant<T>>): boolean =>
      running === 0 || (running < places && (free > 1 || !leavesLast(value.name)));
    return this.#firstOf(this.#tenants.least(now, turnMs, may), now);
  }

  /**
   * Returns the next item for a place that a flow already has; undefined if the flow has no waiting item, or if it is
   * the turn of another flow or tenant.
   */
  nextOf(sharer: Sharer): T | undefined {
    const now = performance.now();
    const tenant = this.#tenants.find(sharer.tenant);
    const flow = tenant?.value.flows.find(sharer.flow);
    if (tenant === undefined || flow === undefined || flow.waiting === 0) return undefined;
    const isOver = <V>(shares: Shares<V>, share: Share<V>): boolean => {
      const other = shares.least(now, 0, (each) => each !== share)?.used(now);
      return other !== undefined && share.used(now) > other + this.#options.turnMs;
    };
    if (isOver(this.#tenants, tenant) || isOver(tenant.value.flows, flow)) return undefined;
    return flow.value.first();
  }

  /** Returns the waiting items of the same flow, in order. */
  sameFlow({ sharer }: { readonly sharer: Sharer }): Iterable<T> {
    return this.#tenants.find(sharer.tenant)?.value.flows.find(sharer.flow)?.value ?? [];
  }

  /** Whether items of other flows wait. */
  isAwaited(sharer: Sharer): boolean {
    const flow = this.#tenants.find(sharer.tenant)?.value.flows.find(sharer.flow);
    return this.#waiting.size > (flow?.waiting ?? 0);
  }

  /** Returns all waiting items, in no particular order. */
  all(): Iterable<T> {
    return this.#waiting;
  }

  /** Records that work begins in a place. */
  begin(sharer: Sharer): void {
    const now = performance.now();
    const { tenant, flow } = this.#sharesOf(sharer);
    if (this.hasSpare && tenant.running === 0 && this.#running > 0) this.#keepSpare(now);
    this.#running += 1;
    tenant.run(1, now);
    flow.run(1, now);
    this.#tenants.serve(tenant, now);
    tenant.value.flows.serve(flow, now);
    this.#note(tenant, now);
  }

  /** Records that work in a place ends. */
  end(sharer: Sharer): void {
    const now = performance.now();
    const { tenant, flow } = this.#sharesOf(sharer);
    this.#running -= 1;
    tenant.run(-1, now);
    flow.run(-1, now);
    this.#note(tenant, now);
    if (this.#running === 0 && this.#waiting.size === 0) this.#tenants.clear();
  }

  /**
   * Opens a spare place if a tenant has waited long enough. Call it when no place is free. Returns the time until the
   * next check, in milliseconds; null if no further check is needed.
   */
  spareDueMs(): number | null {
    const { places, patienceMs } = this.#options;
    const now = performance.now();
    let since = Number.POSITIVE_INFINITY;
    for (const { value } of this.#tenants.all()) since = Math.min(since, value.needySince ?? since);
    if (this.#running < places || since === Number.POSITIVE_INFINITY || this.hasSpare) return null;
    const dueMs = since + patienceMs - now;
    if (dueMs > 0) return dueMs;
    this.#keepSpare(now);
    return null;
  }

  #keepSpare(now: number): void {
    this.#spareUntil = now + this.#options.keepSpareMs;
  }

  #join(item: T): Queue<T> {
    const now = performance.now();
    const { tenant: name, flow: flowName, weight } = item.sharer;
    const tenant = this.#tenants.join(name);
    const flow = tenant.value.flows.join(flowName);
    if (weight !== undefined) tenant.weigh(weight, now);
    tenant.waiting += 1;
    flow.waiting += 1;
    this.#waiting.add(item);
    this.#note(tenant, now);
    return flow.value;
  }

  #sharesOf({ tenant: name, flow }: Sharer): {
    readonly tenant: Share<Tenant<T>>;
    readonly flow: Share<Queue<T>>;
  } {
    const tenant = this.#tenants.of(name);
    return { tenant, flow: tenant.value.flows.of(flow) };
  }

  #firstOf(tenant: Share<Tenant<T>> | undefined, now: number): T | undefined {
    return tenant?.value.flows.least(now, this.#options.turnMs)?.value.first();
  }

  #note(tenant: Share<Tenant<T>>, now: number): void {
    const isNeedy = tenant.waiting > 0 && tenant.running === 0;
    tenant.value.needySince = isNeedy ? (tenant.value.needySince ?? now) : null;
  }
}
