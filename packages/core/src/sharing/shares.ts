/** What one of several had of the time that they share. */
export class Share<V> {
  readonly value: V;
  /** How many of it wait. */
  waiting = 0;
  #running = 0;
  #weight = 1;
  /** In virtual milliseconds: real ones by the weight. */
  #used: number;
  #since = 0;

  constructor(value: V, used: number) {
    this.value = value;
    this.#used = used;
  }

  /** How many of it are in work. */
  get running(): number {
    return this.#running;
  }

  get isAway(): boolean {
    return this.waiting === 0 && this.#running === 0;
  }

  /** The virtual time that it had, with what is in work taken for begun `aheadMs` earlier than it was. */
  used(now: number, aheadMs = 0): number {
    return this.#used + (this.#running * (now - this.#since + aheadMs)) / this.#weight;
  }

  /** So many more of it are in work. */
  run(more: number, now: number): void {
    this.#used = this.used(now);
    this.#since = now;
    this.#running += more;
  }

  weigh(weight: number, now: number): void {
    this.run(0, now); // what it had is not weighed anew
    this.#weight = weight;
  }

  /** It gives up its claim to the time before. */
  raise(used: number): void {
    this.#used = Math.max(this.#used, used);
  }
}

/** Several that share time, by their names. Who had least is next; who comes, or comes again, begins there. */
export class Shares<V> {
  readonly #all = new Map<string, Share<V>>();
  readonly #make: () => V;
  /** What was had by the one that was served last. */
  #floor = 0;

  constructor(make: () => V) {
    this.#make = make;
  }

  find(name: string): Share<V> | undefined {
    return this.#all.get(name);
  }

  /** The one of a name. */
  of(name: string): Share<V> {
    const found = this.#all.get(name);
    if (found !== undefined) return found;
    const made = new Share(this.#make(), this.#floor);
    this.#all.set(name, made);
    return made;
  }

  /** The one of a name, when something of it comes to wait. */
  join(name: string): Share<V> {
    const share = this.of(name);
    if (share.isAway) share.raise(this.#floor);
    return share;
  }

  clear(): void {
    this.#all.clear();
    this.#floor = 0;
  }

  /** The one that had least, of those that wait and may. */
  least(
    now: number,
    aheadMs: number,
    may: (share: Share<V>) => boolean = () => true,
  ): Share<V> | undefined {
    let least: Share<V> | undefined;
    let leastUsed = Number.POSITIVE_INFINITY;
    for (const [name, each] of this.#all) {
      // What it had makes no difference any more.
      if (each.isAway && each.used(now) <= this.#floor) this.#all.delete(name);
      if (each.waiting === 0) continue;
      const used = each.used(now, aheadMs);
      if (used >= leastUsed || !may(each)) continue;
      least = each;
      leastUsed = used;
    }
    return least;
  }

  /** One of them is served. */
  serve(share: Share<V>, now: number): void {
    this.#floor = Math.max(this.#floor, share.used(now));
  }

  all(): Iterable<Share<V>> {
    return this.#all.values();
  }
}
