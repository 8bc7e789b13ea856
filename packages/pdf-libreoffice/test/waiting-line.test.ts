/** Tests how documents of several tenants are assigned to lanes. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { JoinPlan } from "../src/supervisor/join-plan.ts";
import { JoinStatistics } from "../src/supervisor/join-statistics.ts";
import type { FinalReply, Task } from "../src/supervisor/task.ts";
import { WaitingLine } from "../src/supervisor/waiting-line.ts";

const DEADLINE_MS = 60_000;
const QUICK_MS = 100;

const REPLY: FinalReply = {
  type: "failed",
  problem: "is not looked at",
  refused: false,
  detail: "",
  diagnostics: [],
};

interface Order {
  readonly tenant: string;
  readonly ms: number;
  readonly flow?: string;
  readonly weight?: number;
}

function task({ tenant, flow = "", weight }: Order): Task {
  return {
    document: { bytes: new Uint8Array(), rendered: true },
    pdf: {},
    hash: "",
    group: null,
    sharer: { tenant, weight, flow },
    preemptible: false,
    signal: new AbortController().signal,
    resolve: () => {},
    reject: () => {},
  };
}

/** Simulates lanes in which each document takes a fixed time. */
class Lanes {
  readonly #line: WaitingLine;
  readonly #lanes: number;
  readonly #ms = new Map<Task, number>();
  readonly #inWork: string[] = [];
  /** Number of a tenant's documents that have started. */
  readonly begun = new Map<string, number>();
  /** The maximum number of lanes that a tenant had at once. */
  readonly most = new Map<string, number>();

  constructor(lanes: number) {
    this.#lanes = lanes;
    this.#line = new WaitingLine({ lanes, maxWaiting: 10_000, maxWaitMs: 24 * 3_600_000 });
  }

  /** Adds a document. Resolves with its waiting time. */
  add(order: Order): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    const began = performance.now();
    const added = { ...task(order), resolve: () => resolve(performance.now() - began) };
    this.#ms.set(added, order.ms);
    this.#line.add(added, true, false);
    this.#serve();
    return promise;
  }

  flood(count: number, order: Order): void {
    for (let number = 0; number < count; number++) void this.add(order);
  }

  now(tenant: string): number {
    return this.#inWork.filter((each) => each === tenant).length;
  }

  #serve(): void {
    for (let free = this.#lanes - this.#inWork.length; free > 0; free--) {
      const first = this.#line.next(free);
      if (first === undefined) return;
      const [task] = this.#line.take(1, first, (waiting) => waiting === first);
      if (task === undefined) throw new Error("The next document is not in the queue.");
      this.#begin(task);
    }
  }

  #begin(task: Task): void {
    const { tenant } = task.sharer;
    const laneUse = this.#line.begin(task.sharer, 1);
    this.#inWork.push(tenant);
    this.begun.set(tenant, (this.begun.get(tenant) ?? 0) + 1);
    this.most.set(tenant, Math.max(this.most.get(tenant) ?? 0, this.now(tenant)));
    task.resolve(REPLY);
    setTimeout(() => {
      this.#inWork.splice(this.#inWork.indexOf(tenant), 1);
      this.#line.end(laneUse);
      this.#serve();
    }, this.#ms.get(task));
  }
}

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("Two lanes", () => {
  test("are never both used by a tenant with slow documents, so other tenants do not wait", async () => {
    const lanes = new Lanes(2);
    lanes.flood(100, { tenant: "slow", ms: DEADLINE_MS });
    for (let minute = 0; minute < 20; minute++) {
      const waited = lanes.add({ tenant: "other", ms: QUICK_MS });
      await pass(QUICK_MS);
      expect(await waited).toBe(0);
      await pass(47_000);
    }
    expect(lanes.most.get("slow")).toBe(1);
    expect(lanes.begun.get("slow")).toBeGreaterThan(10);
  });

  test("are both used by a tenant with quick documents after its first one", async () => {
    const lanes = new Lanes(2);
    lanes.flood(1_000, { tenant: "quick", ms: QUICK_MS });
    expect(lanes.now("quick")).toBe(1);
    await pass(10_000);
    expect(lanes.most.get("quick")).toBe(2);
    expect(lanes.begun.get("quick")).toBeGreaterThan(195);
    const waited = lanes.add({ tenant: "other", ms: QUICK_MS });
    await pass(QUICK_MS);
    expect(await waited).toBeLessThanOrEqual(QUICK_MS);
  });

  test("are both used without tenants, however slow the documents are", () => {
    const lanes = new Lanes(2);
    lanes.flood(10, { tenant: "", ms: DEADLINE_MS });
    expect(lanes.now("")).toBe(2);
  });

  test("are both used for one document each when a tenant becomes slow, and then not for a long time", async () => {
    const lanes = new Lanes(2);
    lanes.flood(10, { tenant: "sly", ms: QUICK_MS });
    lanes.flood(100, { tenant: "sly", ms: DEADLINE_MS });
    await pass(3_000);
    expect(lanes.now("sly")).toBe(2);
    await pass(DEADLINE_MS);
    for (let second = 0; second < 599; second++) {
      expect(lanes.now("sly")).toBe(1);
      await pass(1_000);
    }
  });

  test("are both available again to a tenant after ten times the length of its slow use", async () => {
    const lanes = new Lanes(2);
    lanes.flood(1, { tenant: "once", ms: 2_000 });
    lanes.flood(1_000, { tenant: "once", ms: QUICK_MS });
    await pass(21_900);
    expect(lanes.most.get("once")).toBe(1);
    await pass(1_000);
    expect(lanes.now("once")).toBe(2);
  });

  test("are shared by two tenants with slow documents, one lane each", async () => {
    const lanes = new Lanes(2);
    lanes.flood(10, { tenant: "a", ms: DEADLINE_MS });
    lanes.flood(10, { tenant: "b", ms: DEADLINE_MS });
    expect([lanes.now("a"), lanes.now("b")]).toEqual([1, 1]);
    await pass(10 * DEADLINE_MS - 1);
    expect([lanes.begun.get("a"), lanes.begun.get("b")]).toEqual([10, 10]);
  });
});

describe("Four lanes", () => {
  test("are available to tenants with slow documents except for one", () => {
    const lanes = new Lanes(4);
    lanes.flood(10, { tenant: "a", ms: DEADLINE_MS });
    lanes.flood(10, { tenant: "b", ms: DEADLINE_MS });
    expect([lanes.now("a"), lanes.now("b")]).toEqual([3, 1]);
  });
});

describe("One lane", () => {
  test("converts another tenant's document next", async () => {
    const lanes = new Lanes(1);
    lanes.flood(100, { tenant: "slow", ms: DEADLINE_MS });
    await pass(10_000);
    for (let number = 0; number < 10; number++) {
      const waited = lanes.add({ tenant: "other", ms: QUICK_MS });
      await pass(DEADLINE_MS);
      expect(await waited).toBeLessThanOrEqual(DEADLINE_MS);
      await pass(12_345);
    }
  });

  test("is shared by time and by the weights of tenants", async () => {
    const lanes = new Lanes(1);
    lanes.flood(1_000, { tenant: "long", ms: 1_000 });
    lanes.flood(1_000, { tenant: "short", ms: 100 });
    lanes.flood(1_000, { tenant: "heavy", ms: 100, weight: 2 });
    await pass(80_000);
    expect(lanes.begun.get("long")).toBeGreaterThanOrEqual(19);
    expect(lanes.begun.get("long")).toBeLessThanOrEqual(22);
    expect(lanes.begun.get("short")).toBeGreaterThan(180);
    expect(lanes.begun.get("heavy")).toBeGreaterThan(370);
  });

  test("alternates between the groups of a tenant", async () => {
    const lanes = new Lanes(1);
    lanes.flood(100, { tenant: "one", flow: "slow batch", ms: 10_000 });
    const waited = lanes.add({ tenant: "one", flow: "quick batch", ms: QUICK_MS });
    await pass(10_000);
    expect(await waited).toBe(10_000);
  });
});

describe("Documents of a batch", () => {
  const batch = (tenant: string): Task => {
    return { ...task({ tenant, ms: QUICK_MS, flow: "batch" }), group: `batch of ${tenant}` };
  };

  test("are joined if the first one is quick", () => {
    const plan = new JoinPlan(true, new JoinStatistics());
    expect(plan.share(batch("a"), 100, 2)).toBe(1);
    plan.took("batch of a", 1, 60);
    expect(plan.share(batch("a"), 100, 2)).toBe(40);
    expect(plan.share(batch("a"), 10, 2)).toBe(5);
    plan.took("batch of a", 40, 40 * 200);
    expect(plan.share(batch("a"), 100, 2)).toBe(20);
    expect(plan.share(batch("b"), 100, 2)).toBe(1);
  });

  test("are converted one by one if they are slow, so that others do not have to wait for all of them", () => {
    const plan = new JoinPlan(true, new JoinStatistics());
    plan.took("batch of a", 1, 500);
    expect(plan.share(batch("a"), 100, 2)).toBe(1);
  });

  test("are joined immediately without tenants", () => {
    const plan = new JoinPlan(true, new JoinStatistics());
    plan.took("batch of ", 40, 40_000);
    expect(plan.share(batch(""), 100, 2)).toBe(40);
  });
});
