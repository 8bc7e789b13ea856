import { describe, expect, test } from "vitest";
import { FairSemaphore } from "../src/sharing/fair-semaphore.ts";

const of = (tenant: string, flow = "f") => ({ tenant, flow });

/** Takes one unit at a time while there is capacity. Returns the number of units. */
function fill(semaphore: FairSemaphore, tenant: string, flow?: string): number {
  let count = 0;
  for (; semaphore.isOpenTo(of(tenant, flow)); count++) semaphore.add(of(tenant, flow), 1);
  return count;
}

/** Waits for capacity. `isIn` of the result becomes true when the call gets it. */
function entering(semaphore: FairSemaphore, tenant: string, amount: number, flow?: string) {
  const state = { isIn: false };
  void semaphore
    .acquire(of(tenant, flow), () => amount)
    .then(() => {
      state.isIn = true;
    });
  return state;
}

describe("A fair semaphore", () => {
  test("gives the first batch of a tenant a quarter, and always has some room for the next tenant", () => {
    const semaphore = new FairSemaphore(240);
    expect(fill(semaphore, "a")).toBe(60);
    expect(fill(semaphore, "a", "second")).toBe(30);
    expect(fill(semaphore, "a", "third")).toBe(15);
    expect(fill(semaphore, "b")).toBeGreaterThan(40);
    for (let number = 0; number < 3; number++)
      expect(fill(semaphore, `t${number}`)).toBeGreaterThan(0);
    expect(semaphore.free).toBeGreaterThan(0);
  });

  test("never fills up with one tenant, even if it has many batches", () => {
    const semaphore = new FairSemaphore(64);
    for (let number = 0; number < 1_000; number++) fill(semaphore, "a", `${number}`);
    expect(semaphore.free).toBe(32);
    expect(semaphore.full().tenants).toEqual(["a"]);
    expect(fill(semaphore, "b")).toBe(16);
  });

  test("lists the tenants and flows that have reached their share", () => {
    const semaphore = new FairSemaphore(64);
    fill(semaphore, "a", "one");
    expect(semaphore.full()).toEqual({ tenants: [], flows: ["one"] });
    semaphore.release(of("a", "one"), 1);
    expect(semaphore.full()).toEqual({ tenants: [], flows: [] });
  });

  test("admits waiting calls when room is returned, even if another tenant keeps its room", async () => {
    const semaphore = new FairSemaphore(64);
    const kept = Array.from({ length: 20 }, () => entering(semaphore, "a", 8));
    await Promise.resolve();
    expect(kept.filter(({ isIn }) => isIn)).toHaveLength(2);
    const other = entering(semaphore, "b", 8);
    const own = entering(semaphore, "a", 8, "second");
    await Promise.resolve();
    expect([other.isIn, own.isIn]).toEqual([true, true]);
    semaphore.release(of("a"), 8);
    await new Promise(setImmediate);
    expect(kept.filter(({ isIn }) => isIn)).toHaveLength(3);
  });

  test("admits one waiting call of each flow in turn, one for each release", async () => {
    const semaphore = new FairSemaphore(2);
    const first = entering(semaphore, "a", 1, "old");
    const waiting = ["old", "old", "old", "new"].map((flow) => entering(semaphore, "a", 1, flow));
    await Promise.resolve();
    expect([first, ...waiting].map(({ isIn }) => isIn)).toEqual([true, false, false, false, false]);
    semaphore.release(of("a", "old"), 1);
    await new Promise(setImmediate);
    expect(waiting.map(({ isIn }) => isIn)).toEqual([true, false, false, false]);
    semaphore.release(of("a", "old"), 1);
    await new Promise(setImmediate);
    expect(waiting.map(({ isIn }) => isIn)).toEqual([true, false, false, true]);
  });

  test("computes the amount when there is room, and returns it", async () => {
    const semaphore = new FairSemaphore(64);
    let amount = 32;
    await semaphore.acquire(of("a"), () => amount);
    const second = semaphore.acquire(of("a"), () => amount);
    amount = 1;
    semaphore.release(of("a"), 32);
    expect(await second).toBe(1);
    expect(semaphore.free).toBe(63);
  });

  test("admits an amount larger than the room, and then a second one", async () => {
    const semaphore = new FairSemaphore(64);
    const large = entering(semaphore, "a", 1_000);
    await Promise.resolve();
    expect(large.isIn).toBe(true);
    const other = entering(semaphore, "b", 1_000);
    await Promise.resolve();
    expect(other.isIn).toBe(true);
    const third = entering(semaphore, "c", 1);
    await Promise.resolve();
    expect(third.isIn).toBe(false);
    semaphore.release(of("a"), 1_000);
    await new Promise(setImmediate);
    expect(third.isIn).toBe(true);
    semaphore.release(of("b"), 1_000);
    semaphore.release(of("c"), 1);
    expect(semaphore.free).toBe(64);
  });
});
