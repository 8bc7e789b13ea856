/** One member's share of the time. */
export class Share<V> {
  readonly value: V;
  /** The number of the member's waiting items. */
  waiting = 0;
  #running = 0;
  #weight = 1;
  /** The time used, in virtual milliseconds: real milliseconds divided by the weight. */
  #used: number;
  #since = 0;

  constructor(value: V, used: number) {
    this.value = value;
    this.#used = used;
  }

  /** The number of the member's items in progress. */
  get running(): number {
    return this.#running;
  }

  get isAway(): boolean {
    return this.waiting === 0 && this.#running === 0;
  }

  /** Returns the member's virtual time, as if each item in progress had begun `aheadMs` earlier. */
  used(now: number, aheadMs = 0): number {
    return this.#used + (this.#running * (now - this.#since + aheadMs)) / this.#weight;
  }

  /** Changes the number of items in progress by `more`. */
  run(more: number, now: number): void {
    this.#used = this.used(now);
    this.#since = now;
    this.#running += more;
  }

  weigh(weight: number, now: number): void {
    this.run(0, now); // earlier time keeps the earlier weight
    this.#weight = weight;
  }

  /** Removes the credit for earlier time in which the member had no work. `used` is the minimum virtual time. */
  raise(used: number): void {
    this.#used = Math.max(this.#used, used);
  }
}

/**
 * Members that share time, by name. The member with the least time is next; new and returning members start with the
 * time of the member served last.
 */
export class Shares<V> {
  readonly #all = new Map<string, Share<V>>();
  readonly #make: (name: string) => V;
  /** The virtual time of the member that was served last. */
  #floor = 0;

  constructor(make: (name: string) => V) {
    this.#make = make;
  }

  find(name: string): Share<V> | undefined {
    return this.#all.get(name);
  }

  /** Returns the share with this name, created if it is new. */
  of(name: string): Share<V> {
    const found = this.#all.get(name);
    if (found !== undefined) return found;
    const made = new Share(this.#make(name), this.#floor);
    this.#all.set(name, made);
    return made;
  }

  /** Returns the share with this name, for a new waiting item. */
  join(name: string): Share<V> {
    const share = this.of(name);
    if (share.isAway) share.raise(this.#floor);
    return share;
  }

  clear(): void {
    this.#all.clear();
    this.#floor = 0;
  }

  /** Returns the share with the least time among those that have waiting items and pass `may`. */
  least(
    now: number,
    aheadMs: number,
    may: (share: Share<V>) => boolean = () => true,
  ): Share<V> | undefined {
    let least: Share<V> | undefined;
    let leastUsed = Number.POSITIVE_INFINITY;
    for (const [name, each] of this.#all) {
      // If the member returns, it gets a new share, which also starts at `#floor`.
      if (each.isAway && each.used(now) <= this.#floor) this.#all.delete(name);
      if (each.waiting === 0) continue;
      const used = each.used(now, aheadMs);
      if (used >= leastUsed || !may(each)) continue;
      least = each;
      leastUsed = used;
    }
    return least;
  }

  /** Records that a member is served. */
  serve(share: Share<V>, now: number): void {
    this.#floor = Math.max(this.#floor, share.used(now));
  }

  all(): Iterable<Share<V>> {
    return this.#all.values();
  }
}
