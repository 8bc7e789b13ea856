import { describe, expect, test } from "vitest";
import { FairRoom } from "../src/sharing/fair-room.ts";

const of = (tenant: string, flow = "f") => ({ tenant, flow });

/** Takes one unit at a time while there is room. Returns the number of units. */
function fill(room: FairRoom, tenant: string, flow?: string): number {
  let count = 0;
  for (; room.isOpenTo(of(tenant, flow)); count++) room.add(of(tenant, flow), 1);
  return count;
}

/** Waits for room; `isIn` becomes true when the call gets some. */
function entering(room: FairRoom, tenant: string, amount: number, flow?: string) {
  const state = { isIn: false };
  void room
    .take(of(tenant, flow), () => amount)
    .then(() => {
      state.isIn = true;
    });
  return state;
}

describe("A fair room", () => {
  test("gives the first batch of a tenant a quarter, and always has some room for the next tenant", () => {
    const room = new FairRoom(240);
    expect(fill(room, "a")).toBe(60);
    expect(fill(room, "a", "second")).toBe(30);
    expect(fill(room, "a", "third")).toBe(15);
    expect(fill(room, "b")).toBeGreaterThan(40);
    for (let number = 0; number < 3; number++) expect(fill(room, `t${number}`)).toBeGreaterThan(0);
    expect(room.free).toBeGreaterThan(0);
  });

  test("never fills up with one tenant, even if it has many batches", () => {
    const room = new FairRoom(64);
    for (let number = 0; number < 1_000; number++) fill(room, "a", `${number}`);
    expect(room.free).toBe(32);
    expect(room.full().tenants).toEqual(["a"]);
    expect(fill(room, "b")).toBe(16);
  });

  test("lists the tenants and flows that have reached their share", () => {
    const room = new FairRoom(64);
    fill(room, "a", "one");
    expect(room.full()).toEqual({ tenants: [], flows: ["one"] });
    room.give(of("a", "one"), 1);
    expect(room.full()).toEqual({ tenants: [], flows: [] });
  });

  test("admits waiting calls when room is returned, even if another tenant keeps its room", async () => {
    const room = new FairRoom(64);
    const kept = Array.from({ length: 20 }, () => entering(room, "a", 8));
    await Promise.resolve();
    expect(kept.filter(({ isIn }) => isIn)).toHaveLength(2);
    const other = entering(room, "b", 8);
    const own = entering(room, "a", 8, "second");
    await Promise.resolve();
    expect([other.isIn, own.isIn]).toEqual([true, true]);
    room.give(of("a"), 8);
    await new Promise(setImmediate);
    expect(kept.filter(({ isIn }) => isIn)).toHaveLength(3);
  });

  test("computes the amount when there is room, and returns it", async () => {
    const room = new FairRoom(64);
    let amount = 32;
    await room.take(of("a"), () => amount);
    const second = room.take(of("a"), () => amount);
    amount = 1;
    room.give(of("a"), 32);
    expect(await second).toBe(1);
    expect(room.free).toBe(63);
  });

  test("admits an amount larger than the room, and then a second one", async () => {
    const room = new FairRoom(64);
    const large = entering(room, "a", 1_000);
    await Promise.resolve();
    expect(large.isIn).toBe(true);
    const other = entering(room, "b", 1_000);
    await Promise.resolve();
    expect(other.isIn).toBe(true);
    const third = entering(room, "c", 1);
    await Promise.resolve();
    expect(third.isIn).toBe(false);
    room.give(of("a"), 1_000);
    await new Promise(setImmediate);
    expect(third.isIn).toBe(true);
    room.give(of("b"), 1_000);
    room.give(of("c"), 1);
    expect(room.free).toBe(64);
  });
});
