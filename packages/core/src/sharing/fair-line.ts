import { Queue } from "./queue.ts";
import { type Share, Shares } from "./shares.ts";

/** Whose something is. */
export interface Sharer {
  readonly tenant: string;
  /** A tenant of weight 2 gets twice the time of one of weight 1. Undefined: what it was; 1 at first. */
  readonly weight: number | undefined;
  /** What of the tenant's takes turns with the rest of it: the name of a template, of a batch. */
  readonly flow: string;
}

/** How a {@link FairLine} is kept. */
export interface FairLineOptions {
  /** How many places there are usually, and how many a tenant may have at once. */
  readonly places: number;
  /** Who has a place goes on in it until it had so many milliseconds more than another one who waits. */
  readonly turnMs: number;
  /** Who has no place and has waited for so many milliseconds is to get a spare one. */
  readonly patienceMs: number;
  /** There is a spare place for so many milliseconds after several tenants last had places at once. */
  readonly keepSpareMs: number;
}

interface Tenant<T> {
  readonly flows: Shares<Queue<T>>;
  /** Since when it waits and has no place; null when that is not so. */
  needySince: number | null;
}

/**
 * A line for places in which work is done: processes, lanes. The time in them is shared: next is the tenant that had
 * the least of it, by its weight, and of that tenant the flow that had the least, and of that what came first. Who was
 * away has no claim to the time before.
 *
 * Nobody is driven out of a place, so that nothing is done twice. Instead there is a spare place when one is needed:
 * when a tenant without any has waited for some time, since others' long work holds them all. From then on the last
 * place that is free is for who has none. Whoever keeps the places asks `hasSpare` how many there may be, and
 * `spareDueMs` when to ask again.
 */
export class FairLine<T extends { readonly sharer: Sharer }> {
  readonly #options: FairLineOptions;
  readonly #waiting = new Set<T>();
  #running = 0;
  readonly #tenants = new Shares<Tenant<T>>(() => ({
    flows: new Shares(() => new Queue((item) => this.#waiting.has(item))),
    needySince: null,
  }));
  #spareUntil = Number.NEGATIVE_INFINITY;

  constructor(options: FairLineOptions) {
    this.#options = options;
  }

  /** How many wait. */
  get length(): number {
    return this.#waiting.size;
  }

  /** Whether there is to be one place more than usual. */
  get hasSpare(): boolean {
    return performance.now() < this.#spareUntil;
  }

  add(item: T): void {
    this.#join(item).push(item);
  }

  /** Before the rest of its flow, since it had its turn already. */
  addFirst(item: T): void {
    this.#join(item).unshift(item);
  }

  /** Takes something out, wherever it stands: it has its turn, or is not wanted any more. */
  remove(item: T): void {
    if (!this.#waiting.delete(item)) return;
    const { tenant, flow } = this.#sharesOf(item.sharer);
    tenant.waiting -= 1;
    flow.waiting -= 1;
    this.#note(tenant, performance.now());
  }

  /** What is to have the next place, of which so many are free; it stays in the line. */
  next(free: number): T | undefined {
    const now = performance.now();
    const { places, turnMs } = this.#options;
    const isKept = this.hasSpare && free <= 1;
    const may = ({ running }: Share<unknown>): boolean =>
      running === 0 || (running < places && !isKept);
    return this.#firstOf(this.#tenants.least(now, turnMs, may), now);
  }

  /** What the same flow goes on with in a place that it has; nothing when it is another one's turn. */
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

  /** What waits of the same flow, in order. */
  sameFlow({ sharer }: T): Iterable<T> {
    return this.#tenants.find(sharer.tenant)?.value.flows.find(sharer.flow)?.value ?? [];
  }

  /** All that waits, in no particular order. */
  all(): Iterable<T> {
    return this.#waiting;
  }

  /** Work begins in a place. */
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

  /** Work that was begun is over. */
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
   * Looks whether a spare place is needed, for when no place is free. Gives after how many milliseconds to look again;
   * null when there is nobody who would need one.
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
