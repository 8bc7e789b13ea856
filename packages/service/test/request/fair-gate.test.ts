import type { Problem } from "@quire/http/parts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DEFAULT_LIMITS } from "../../src/limits/limits.ts";
import { FairGate } from "../../src/request/fair-gate.ts";
import { createGates } from "../../src/request/gates.ts";
import { RateLimit } from "../../src/request/rate-limit.ts";
import { RejectionThrottle } from "../../src/request/rejection-throttle.ts";

describe("The gate", () => {
  test("lets in a limited number at a time, and the next one when a place is released", async () => {
    const gate = new FairGate({ places: 2, waitingPerTenant: 10, waiting: 10 });
    const first = await gate.enter("a");
    await gate.enter("a");
    let entered = false;
    const third = gate.enter("a").then((leave) => {
      entered = true;
      return leave;
    });
    await Promise.resolve();
    expect(entered).toBe(false);
    first();
    first(); // releases nothing, because the place was already released
    await third;
    expect(entered).toBe(true);
  });

  test("lets other work of the process run between requests that wait for nothing", async () => {
    const gate = new FairGate({ places: 2, waitingPerTenant: 1000, waiting: 1000 });
    let through = 0;
    const all = Array.from({ length: 500 }, async () => {
      const leave = await gate.enter("a");
      through += 1;
      leave();
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(through).toBeLessThan(10);
    await Promise.all(all);
    expect(through).toBe(500);
  });

  test("lets tenants take turns: one with thousands of waiting requests does not block another", async () => {
    const gate = new FairGate({ places: 1, waitingPerTenant: 5000, waiting: 10_000 });
    const order: string[] = [];
    const leave = await gate.enter("flood");
    const enter = async (tenant: string): Promise<void> => {
      const done = await gate.enter(tenant);
      order.push(tenant);
      done();
    };
    const all = Array.from({ length: 3000 }, () => enter("flood"));
    all.push(enter("quiet"), enter("quiet"), enter("other"));
    leave();
    await Promise.all(all);
    expect(order.slice(0, 6)).toEqual(["flood", "quiet", "other", "flood", "quiet", "flood"]);
    expect(order).toHaveLength(3003);
  });

  test("never gives all places to one tenant, however many of its requests wait", async () => {
    const limits = { places: 4, placesPerTenant: 2, waitingPerTenant: 10, waiting: 20 };
    const gate = new FairGate(limits);
    const inside: string[] = [];
    const enter = async (name: string): Promise<() => void> => {
      const leave = await gate.enter(name);
      inside.push(name);
      return leave;
    };
    const first = await enter("slow");
    await enter("slow");
    const third = enter("slow");
    void enter("slow");
    const other = await enter("other");
    expect(inside).toEqual(["slow", "slow", "other"]);
    // If another tenant releases a place, that does not help a tenant that has reached its own limit.
    other();
    await Promise.resolve();
    expect(inside).toHaveLength(3);
    first();
    await third;
    await enter("else");
    expect(inside).toEqual(["slow", "slow", "other", "slow", "else"]);
  });

  test("that leaves places gives a tenant at most as many as are free, so that the next tenant always finds some", async () => {
    const limits = { places: 8, leavesPlaces: true, waitingPerTenant: 100, waiting: 100 };
    const gate = new FairGate(limits);
    const inside: string[] = [];
    for (const tenant of ["a", "b", "c"]) {
      for (let count = 0; count < 8; count++) {
        void gate.enter(tenant).then(() => inside.push(tenant));
      }
    }
    await gate.enter("next");
    expect(inside.join("")).toBe("aaaabbc");
  });

  test("lets a returning request wait, even if the queue is full", async () => {
    const gate = new FairGate({ places: 1, waitingPerTenant: 0, waiting: 0 });
    const leave = await gate.enter("a");
    await expect(gate.enter("a")).rejects.toThrow("too many waiting requests");
    const back = gate.enter("a", { isBack: true });
    leave();
    (await back)();
  });

  test("gives a tenant fewer places while others send requests, and all of them when no other does", async () => {
    let now = 0;
    const limits = { places: 10, placesPerTenant: 4, placesWhenShared: 1 };
    const gate = new FairGate({ ...limits, waitingPerTenant: 10, waiting: 10 }, () => now);
    let inside = 0;
    const leaves: (() => void)[] = [];
    const enter = async (tenant: string) => {
      leaves.push(await gate.enter(tenant));
      inside += 1;
    };
    (await gate.enter("other"))();
    const all = Array.from({ length: 4 }, () => enter("a"));
    await Promise.resolve();
    await Promise.resolve();
    expect(inside).toBe(1);
    now += 2000;
    leaves.shift()?.();
    await Promise.all(all);
    expect(inside).toBe(4);
  });

  describe("while others send requests", () => {
    const limits = { places: 10, placesPerTenant: 3, placesWhenShared: 1 };

    /** Returns a gate that another tenant has just entered; `inside` counts the requests of "a" that were let in. */
    async function shared() {
      const gate = new FairGate({ ...limits, waitingPerTenant: 10, waiting: 10 });
      (await gate.enter("other"))();
      const leaves: (() => void)[] = [];
      const come = () => void gate.enter("a").then((leave) => leaves.push(leave));
      const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
      return { gate, leaves, come, pass };
    }

    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    test("lets in the next request of a tenant after a rest as long as the previous request took", async () => {
      const { leaves, come, pass } = await shared();
      for (let count = 0; count < 3; count++) come();
      await pass(10);
      leaves[0]?.();
      await pass(9);
      expect(leaves).toHaveLength(1);
      await pass(2);
      expect(leaves).toHaveLength(2);
      await pass(1000);
      expect(leaves).toHaveLength(3); // the second request takes long
    });

    test("lets in one at a time of the requests of the same turn, however quickly they finish", async () => {
      const { gate, pass } = await shared();
      let through = 0;
      const visit = async (): Promise<void> => {
        const leave = await gate.enter("a");
        through += 1;
        leave();
      };
      const all = Array.from({ length: 5 }, visit);
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      expect(through).toBe(1);
      await pass(20);
      expect(through).toBe(5);
      await Promise.all(all);
    });

    test("always lets in some request for any limits, and rests only briefly", async () => {
      let now = 0;
      const none = { places: 10, placesWhenShared: 0, waitingPerTenant: 10, waiting: 10 };
      const gate = new FairGate(none, () => now);
      (await gate.enter("other"))();
      const leave = await gate.enter("a");
      let isIn = false;
      void gate.enter("a").then(() => {
        isIn = true;
      });
      now += 1500; // the thread was blocked, perhaps by other work
      leave();
      await vi.advanceTimersByTimeAsync(25);
      expect(isIn).toBe(true);
    });

    test("is shared with tenants at another gate of the service", async () => {
      const { gate, uploads } = createGates(DEFAULT_LIMITS);
      await uploads.enter("other");
      let through = 0;
      for (let count = 0; count < 5; count++) void gate.enter("a").then(() => (through += 1));
      await vi.advanceTimersByTimeAsync(10);
      expect(through).toBe(1);
    });

    test("has no rest for a tenant that is alone", async () => {
      const { leaves, come, pass } = await shared();
      come();
      await pass(10);
      leaves[0]?.();
      await pass(1);
      come();
      await pass(0);
      expect(leaves).toHaveLength(2);
    });

    test("counts slow requests towards a tenant's places, but not towards its places while shared", async () => {
      const { leaves, come, pass } = await shared();
      for (let count = 0; count < 4; count++) come();
      await pass(19);
      expect(leaves).toHaveLength(1);
      await pass(2);
      expect(leaves).toHaveLength(2);
      await pass(1000);
      expect(leaves).toHaveLength(3);
      leaves[0]?.();
      leaves[1]?.();
      await pass(1);
      expect(leaves).toHaveLength(4);
    });
  });

  test("rejects a tenant with too many waiting requests with 429, and everybody with 503 when it is full", async () => {
    const gate = new FairGate({ places: 1, waitingPerTenant: 2, waiting: 3 });
    await gate.enter("a");
    void gate.enter("a");
    void gate.enter("a");
    await expect(gate.enter("a")).rejects.toMatchObject({ status: 429 });
    void gate.enter("b");
    expect(gate.isFull).toBe(true);
    await expect(gate.enter("c")).rejects.toMatchObject({ status: 503 });
  });
});

describe("The limit of requests per minute", () => {
  test("allows a burst up to the limit, then says when to retry, for each principal separately", () => {
    let now = 0;
    const limit = new RateLimit(60, () => now);
    for (let count = 0; count < 60; count += 1) limit.take("ann");
    const refused = () => {
      try {
        limit.take("ann");
        return null;
      } catch (error) {
        return (error as Problem).headers["retry-after"];
      }
    };
    expect(refused()).toBe("1");
    limit.take("bob");
    now += 999;
    expect(refused()).toBe("1");
    now += 1;
    expect(refused()).toBeNull();
    expect(refused()).toBe("1");
    now += 3_600_000;
    for (let count = 0; count < 60; count += 1) limit.take("ann");
    expect(refused()).toBe("1");
  });

  test("forgets only those that have been idle for long", () => {
    let now = 0;
    const limit = new RateLimit(1, () => now);
    limit.take("ann");
    for (let count = 0; count < 20_000; count += 1) limit.take(`somebody ${count}`);
    expect(() => limit.take("ann")).toThrow("in a minute");
    now += 60_000;
    limit.take("ann");
  });
});

describe("Rejections", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("of a tenant are sent one by one after the first ones, each within two seconds", async () => {
    const refusals = new RejectionThrottle();
    const told: string[] = [];
    const refuse = (tenant: string) => void refusals.turn(tenant).then(() => told.push(tenant));
    for (let count = 0; count < 1000; count++) refuse("flood");
    refuse("other");
    await vi.advanceTimersByTimeAsync(0);
    expect(told.filter((tenant) => tenant === "other")).toHaveLength(1);
    const first = told.length;
    expect(first).toBeLessThan(110);
    await vi.advanceTimersByTimeAsync(1000);
    expect(told.length - first).toBeGreaterThan(190);
    expect(told.length - first).toBeLessThan(210);
    await vi.advanceTimersByTimeAsync(1000);
    expect(told).toHaveLength(1001);
    await vi.advanceTimersByTimeAsync(60_000);
    refuse("flood");
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toHaveLength(1002);
  });
});
