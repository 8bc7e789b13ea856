/** The owner of something that takes capacity. */
export interface Occupant {
  /** Occupants with the same name share one tenant's capacity. */
  readonly tenant: string;
  /** The name of a batch. The flows of a tenant share its capacity. */
  readonly flow: string;
}

interface Line {
  readonly occupant: Occupant;
  /** Each function is called when there is capacity, and takes it. */
  readonly waiting: (() => void)[];
}

interface Occupied {
  all: number;
  readonly flows: Map<string, number>;
}

/**
 * A semaphore that no tenant can fill alone, even if it keeps its share for a long time: a tenant gets no more once its
 * share is as large as the free capacity. With small amounts, therefore, one tenant can have half, two tenants can have
 * a third each, and some capacity always remains for the next tenant. The flows of a tenant share its half in the same
 * way: a single flow can have a quarter of the capacity.
 *
 * The last amount that a tenant takes may exceed its share by any amount. An amount larger than half of the capacity
 * counts as half.
 */
export class FairSemaphore {
  readonly #size: number;
  readonly #tenants = new Map<string, Occupied>();
  /** The waiting calls, in a line for each flow. */
  readonly #lines = new Map<string, Line>();
  #taken = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** The free capacity; negative if the last amounts exceeded it. */
  get free(): number {
    return this.#size - this.#taken;
  }

  /** Whether both the tenant and the flow can get more now. */
  isOpenTo({ tenant, flow }: Occupant): boolean {
    return !this.#isFull(tenant) && !this.#isFlowFull(tenant, flow);
  }

  /** Returns the tenants and the flows that cannot get more now. */
  full(): { readonly tenants: readonly string[]; readonly flows: readonly string[] } {
    const names = [...this.#tenants.keys()];
    const tenants = names.filter((tenant) => this.#isFull(tenant));
    const flows = [...this.#tenants].flatMap(([tenant, occupied]) =>
      [...occupied.flows.keys()].filter((flow) => this.#isFlowFull(tenant, flow)),
    );
    return { tenants, flows };
  }

  /**
   * Waits for capacity, then calls `amountOf` and takes the amount. Returns it. Calls of one flow are served in order.
   */
  async acquire(occupant: Occupant, amountOf: () => number): Promise<number> {
    const enter = (): number => {
      const amount = amountOf();
      this.add(occupant, amount);
      return amount;
    };
    const key = JSON.stringify([occupant.tenant, occupant.flow]);
    const line = this.#lines.get(key);
    if (line === undefined && this.isOpenTo(occupant)) return enter();
    const { waiting }: Line = line ?? { occupant, waiting: [] };
    if (line === undefined) this.#lines.set(key, { occupant, waiting });
    return new Promise((resolve) => waiting.push(() => resolve(enter())));
  }

  /** Takes capacity without waiting, even if none is free. */
  add({ tenant, flow }: Occupant, amount: number): void {
    const counted = this.#counted(amount);
    const occupied = this.#tenants.get(tenant) ?? { all: 0, flows: new Map() };
    this.#tenants.set(tenant, occupied);
    occupied.flows.set(flow, (occupied.flows.get(flow) ?? 0) + counted);
    occupied.all += counted;
    this.#taken += counted;
  }

  /** Gives back an amount that was taken. */
  release({ tenant, flow }: Occupant, amount: number): void {
    const counted = this.#counted(amount);
    const occupied = this.#tenants.get(tenant);
    if (occupied === undefined) return;
    const left = (occupied.flows.get(flow) ?? 0) - counted;
    this.#taken -= counted;
    occupied.all -= counted;
    if (left > 0) occupied.flows.set(flow, left);
    else occupied.flows.delete(flow);
    if (occupied.flows.size === 0) this.#tenants.delete(tenant);
    this.#admit();
  }

  /** Admits waiting calls while there is capacity, one of each flow in turn. */
  #admit(): void {
    for (const [key, line] of this.#lines) {
      const [first] = line.waiting;
      if (first === undefined || !this.isOpenTo(line.occupant)) continue;
      line.waiting.shift();
      // The line moves to the end of the map, where this loop reaches it again.
      this.#lines.delete(key);
      if (line.waiting.length > 0) this.#lines.set(key, line);
      first();
    }
  }

  #isFull(tenant: string): boolean {
    return (this.#tenants.get(tenant)?.all ?? 0) >= this.free;
  }

  #isFlowFull(tenant: string, flow: string): boolean {
    const occupied = this.#tenants.get(tenant);
    if (occupied === undefined) return false;
    return (occupied.flows.get(flow) ?? 0) >= this.#size / 2 - occupied.all;
  }

  #counted(amount: number): number {
    return Math.min(amount, this.#size / 2);
  }
}
