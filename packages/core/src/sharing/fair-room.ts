/** Whose something is that takes room. */
export interface Occupant {
  readonly tenant: string;
  /** What of the tenant's is of a kind: the name of a batch. */
  readonly flow: string;
}

interface Line {
  readonly occupant: Occupant;
  /** Called when there is room for it, and takes it. */
  readonly waiting: (() => void)[];
}

interface Occupied {
  all: number;
  readonly flows: Map<string, number>;
}

/**
 * Room for so much, of which one tenant never has all, however long it keeps what it has: who has as much as is free
 * gets no more. So a tenant alone has half of it, two have a third each, and there is always some for the next one. A
 * flow shares in the same way with others of its tenant, and has a quarter of the room when it is alone.
 *
 * Amounts may go beyond a share by the last of them, as large as it is. One that is larger than half of the room counts
 * as half.
 */
export class FairRoom {
  readonly #size: number;
  readonly #tenants = new Map<string, Occupied>();
  /** What waits, in a line for each flow. */
  readonly #lines = new Map<string, Line>();
  #taken = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** How much is free; below 0 when the last ones were larger than what was. */
  get free(): number {
    return this.#size - this.#taken;
  }

  isOpenTo({ tenant, flow }: Occupant): boolean {
    return !this.#isFull(tenant) && !this.#isFlowFull(tenant, flow);
  }

  /** The tenants that get no more for now, and the flows of others that get no more. */
  full(): { readonly tenants: readonly string[]; readonly flows: readonly string[] } {
    const names = [...this.#tenants.keys()];
    const tenants = names.filter((tenant) => this.#isFull(tenant));
    const flows = [...this.#tenants].flatMap(([tenant, occupied]) =>
      [...occupied.flows.keys()].filter((flow) => this.#isFlowFull(tenant, flow)),
    );
    return { tenants, flows };
  }

  /** Takes room when there is some for who asks, those of a flow in their order. Gives the amount, which is asked for then. */
  async take(occupant: Occupant, amountOf: () => number): Promise<number> {
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

  /** Takes room without asking whether there is some. */
  add({ tenant, flow }: Occupant, amount: number): void {
    const counted = this.#counted(amount);
    const occupied = this.#tenants.get(tenant) ?? { all: 0, flows: new Map() };
    this.#tenants.set(tenant, occupied);
    occupied.flows.set(flow, (occupied.flows.get(flow) ?? 0) + counted);
    occupied.all += counted;
    this.#taken += counted;
  }

  /** Gives back an amount that was taken. */
  give({ tenant, flow }: Occupant, amount: number): void {
    const counted = this.#counted(amount);
    const occupied = this.#tenants.get(tenant);
    if (occupied === undefined) return;
    const left = (occupied.flows.get(flow) ?? 0) - counted;
    this.#taken -= counted;
    occupied.all -= counted;
    if (left > 0) occupied.flows.set(flow, left);
    else occupied.flows.delete(flow);
    if (occupied.flows.size === 0) this.#tenants.delete(tenant);
    this.#letIn();
  }

  /** One of each flow in turn, as long as there is room for some. */
  #letIn(): void {
    for (let came = true; came; ) {
      came = false;
      for (const [key, { occupant, waiting }] of this.#lines) {
        const [first] = waiting;
        if (first === undefined || !this.isOpenTo(occupant)) continue;
        waiting.shift();
        if (waiting.length === 0) this.#lines.delete(key);
        first();
        came = true;
      }
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
