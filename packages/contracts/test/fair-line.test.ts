import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FairLine, type Sharer } from "../src/sharing/fair-line.ts";

interface Item {
  readonly name: string;
  readonly sharer: Sharer;
}

const OPTIONS = { places: 2, turnMs: 25, patienceMs: 250, keepSpareMs: 30_000 };

function item(tenant: string, { flow = "f", weight = 1, name = tenant } = {}): Item {
  return { name, sharer: { tenant, weight, flow } };
}

function items(count: number, tenant: string, more: { flow?: string; weight?: number } = {}) {
  return Array.from({ length: count }, (_, number) =>
    item(tenant, { name: `${tenant}${number + 1}`, ...more }),
  );
}

/** Simulates places. `msOf` returns how long an item takes, in milliseconds. */
class Places {
  readonly line: FairLine<Item>;
  readonly served: string[] = [];
  readonly #usual: number;
  readonly #msOf: (item: Item) => number;
  readonly #inWork = new Set<Item>();
  #places: number;

  constructor(msOf: (item: Item) => number, options = OPTIONS) {
    this.line = new FairLine(options);
    this.#usual = options.places;
    this.#places = options.places;
    this.#msOf = msOf;
  }

  add(...all: readonly Item[]): void {
    for (const each of all) this.line.add(each);
    this.#serve();
  }

  inWork(): string[] {
    return [...this.#inWork].map(({ name }) => name).sort();
  }

  #serve(): void {
    for (;;) {
      const dueMs = this.line.spareDueMs();
      if (dueMs !== null) setTimeout(() => this.#serve(), dueMs);
      this.#places = Math.max(this.#places, this.#usual + (this.line.hasSpare ? 1 : 0));
      const free = this.#places - this.#inWork.size;
      const next = free === 0 ? undefined : this.line.next(free);
      if (next === undefined) return;
      this.line.remove(next);
      this.line.begin(next.sharer);
      this.#inWork.add(next);
      this.served.push(next.name);
      setTimeout(() => {
        this.#inWork.delete(next);
        this.line.end(next.sharer);
        this.#serve();
      }, this.#msOf(next));
    }
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("A fair line", () => {
  test("keeps the order of one tenant", async () => {
    const places = new Places(() => 10);
    places.add(...items(6, "a"));
    await vi.runAllTimersAsync();
    expect(places.served).toEqual(["a1", "a2", "a3", "a4", "a5", "a6"]);
    expect(places.line.length).toBe(0);
  });

  test("shares time, not items: ten short items count the same as one item that takes ten times as long", async () => {
    const places = new Places(({ sharer }) => (sharer.tenant === "slow" ? 1000 : 100), {
      ...OPTIONS,
      places: 1,
      patienceMs: 1e9,
    });
    places.add(...items(10, "slow"), ...items(100, "quick"));
    await vi.advanceTimersByTimeAsync(10_000);
    const slow = places.served.filter((name) => name.startsWith("slow")).length;
    expect(slow).toBeGreaterThanOrEqual(5);
    expect(slow).toBeLessThanOrEqual(6);
  });

  test("gives a tenant with weight 3 three times the time of a tenant with weight 1", async () => {
    const places = new Places(() => 10, { ...OPTIONS, places: 1 });
    places.add(...items(400, "a"), ...items(400, "b", { weight: 3 }));
    await vi.advanceTimersByTimeAsync(2_000);
    const b = places.served.filter((name) => name.startsWith("b")).length;
    expect(b).toBeGreaterThanOrEqual(145);
    expect(b).toBeLessThanOrEqual(155);
  });

  test("reserves a spare place for other tenants when long work of one tenant occupies all places", async () => {
    const places = new Places(({ sharer }) => (sharer.tenant === "slow" ? 30_000 : 10));
    places.add(...items(200, "slow"));
    await vi.advanceTimersByTimeAsync(5_000);
    places.add(item("b"));
    expect(places.inWork()).toEqual(["slow1", "slow2"]);
    await vi.advanceTimersByTimeAsync(249);
    expect(places.inWork()).toEqual(["slow1", "slow2"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(places.inWork()).toEqual(["b", "slow1", "slow2"]);
    await vi.advanceTimersByTimeAsync(10);
    // The slow tenant does not get the free place, and other tenants get it immediately.
    for (let count = 0; count < 20; count++) {
      expect(places.inWork()).toEqual(["slow1", "slow2"]);
      places.add(item("b"));
      expect(places.inWork()).toEqual(["b", "slow1", "slow2"]);
      await vi.advanceTimersByTimeAsync(1_000);
    }
  });

  test("keeps the spare place when all long work ends at once", async () => {
    const places = new Places(({ sharer }) => (sharer.tenant === "slow" ? 30_000 : 10));
    places.add(...items(200, "slow"));
    await vi.advanceTimersByTimeAsync(1_000);
    places.add(item("b"));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(places.inWork()).toEqual(["slow3", "slow4"]);
    places.add(item("b"));
    expect(places.inWork()).toContain("b");
  });

  test("has no spare place for a single tenant or for short work", async () => {
    const alone = new Places(() => 30_000);
    alone.add(...items(20, "a"));
    await vi.advanceTimersByTimeAsync(100_000);
    expect(alone.line.hasSpare).toBe(false);
    const short = new Places(() => 20);
    short.add(...items(2_000, "a"));
    for (let count = 0; count < 100; count++) {
      short.add(item("b"));
      await vi.advanceTimersByTimeAsync(100);
      expect(short.line.hasSpare).toBe(false);
    }
  });

  test("drops the spare place after the other tenants have been idle for some time", async () => {
    const places = new Places(({ sharer }) => (sharer.tenant === "slow" ? 2_000 : 10));
    places.add(...items(100, "slow"));
    await vi.advanceTimersByTimeAsync(100);
    places.add(item("b"));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(places.line.hasSpare).toBe(true);
    await vi.advanceTimersByTimeAsync(35_000);
    expect(places.line.hasSpare).toBe(false);
    expect(places.inWork()).toHaveLength(2);
  });

  test("limits a tenant to the usual places, even if there is a spare place", async () => {
    const places = new Places(() => 1_000);
    places.add(...items(40, "a"), item("b"));
    for (let count = 0; count < 18; count++) {
      await vi.advanceTimersByTimeAsync(500);
      expect(places.inWork().filter((name) => name.startsWith("a")).length).toBeLessThanOrEqual(2);
    }
  });

  test("shares the time of a tenant between its flows: 20 short items overtake 200 long items", async () => {
    const places = new Places(({ sharer }) => (sharer.flow === "slow" ? 30_000 : 10));
    places.add(...items(200, "a", { flow: "slow" }));
    await vi.advanceTimersByTimeAsync(1_000);
    places.add(...items(20, "a", { flow: "quick" }));
    await vi.advanceTimersByTimeAsync(29_000 + 300);
    expect(places.served).toHaveLength(2 + 20 + 2);
  });

  test("gives a tenant no credit for idle time", async () => {
    const places = new Places(() => 10, { ...OPTIONS, places: 1 });
    places.add(...items(1_000, "a"));
    await vi.advanceTimersByTimeAsync(5_000);
    places.add(...items(500, "b"));
    const before = places.served.length;
    await vi.advanceTimersByTimeAsync(1_000);
    const since = places.served.slice(before).filter((name) => name.startsWith("b")).length;
    expect(since).toBeGreaterThanOrEqual(48);
    expect(since).toBeLessThanOrEqual(53);
  });

  test("remembers the long work of a tenant that sends one item at a time", async () => {
    const places = new Places(({ sharer }) => (sharer.tenant === "slow" ? 60_000 : 100), {
      ...OPTIONS,
      places: 1,
      patienceMs: 1e9,
    });
    places.add(item("slow"));
    places.add(...items(100, "b"));
    await vi.advanceTimersByTimeAsync(60_000 - 1);
    places.add(item("slow"));
    await vi.advanceTimersByTimeAsync(1 + 100 * 100);
    expect(places.served.slice(1, 101).every((name) => name.startsWith("b"))).toBe(true);
  });

  test("continues with the tenant of a place until its turn ends", () => {
    const line = new FairLine<Item>(OPTIONS);
    for (const each of [...items(3, "a"), ...items(1, "b")]) line.add(each);
    const first = line.next(1);
    expect(first?.name).toBe("a1");
    if (first === undefined) return;
    line.remove(first);
    line.begin(first.sharer);
    vi.advanceTimersByTime(20);
    expect(line.nextOf(first.sharer)?.name).toBe("a2");
    vi.advanceTimersByTime(10);
    expect(line.nextOf(first.sharer)).toBeUndefined();
    expect(line.next(1)?.name).toBe("b1");
  });

  test("does not continue with another flow", () => {
    const line = new FairLine<Item>(OPTIONS);
    const first = item("a", { flow: "one" });
    line.begin(first.sharer);
    line.add(item("a", { flow: "two" }));
    expect(line.nextOf(first.sharer)).toBeUndefined();
    line.add(first);
    expect(line.nextOf(first.sharer)).toBe(first);
  });

  test("puts a returned item first in its flow, and skips removed items", () => {
    const line = new FairLine<Item>(OPTIONS);
    const [one, two, three] = items(3, "a") as [Item, Item, Item];
    for (const each of [two, three]) line.add(each);
    line.addFirst(one);
    expect(line.length).toBe(3);
    expect([...line.sameFlow(two)]).toEqual([one, two, three]);
    line.remove(two);
    line.remove(two);
    line.remove(one);
    expect(line.next(1)).toBe(three);
    line.remove(three);
    expect([line.length, line.next(1), line.nextOf(one.sharer)]).toEqual([0, undefined, undefined]);
    line.add(one);
    expect(line.next(1)).toBe(one);
  });

  test("handles a hundred thousand items without scanning all items for each", () => {
    const line = new FairLine<Item>(OPTIONS);
    for (const each of items(100_000, "a")) line.add(each);
    let count = 0;
    for (let next = line.next(1); next !== undefined; next = line.next(1)) {
      line.remove(next);
      count += 1;
    }
    expect(count).toBe(100_000);
  });

  test("keeps the last free place for a tenant without a place, while leavesLast returns true", () => {
    let leaves = true;
    const line = new FairLine<Item>({
      places: 2,
      turnMs: 25,
      leavesLast: (name) => leaves && name === "a",
    });
    const [one, two] = items(2, "a") as [Item, Item];
    for (const each of [one, two]) line.add(each);
    expect(line.next(1)).toBe(one);
    line.remove(one);
    line.begin(one.sharer);
    expect(line.next(1)).toBeUndefined();
    expect(line.next(2)).toBe(two);
    const other = item("b");
    line.add(other);
    expect(line.next(1)).toBe(other);
    line.remove(other);
    leaves = false;
    expect(line.next(1)).toBe(two);
    expect(line.hasSpare).toBe(false);
  });

  test("reports whether items of other flows wait, of any tenant", () => {
    const line = new FairLine<Item>(OPTIONS);
    const { sharer } = item("a", { flow: "one" });
    line.add(item("a", { flow: "one" }));
    expect(line.isAwaited(sharer)).toBe(false);
    const other = item("a", { flow: "two" });
    line.add(other);
    expect(line.isAwaited(sharer)).toBe(true);
    line.remove(other);
    expect(line.isAwaited(sharer)).toBe(false);
    line.add(item("b", { flow: "one" }));
    expect(line.isAwaited(sharer)).toBe(true);
  });
});
