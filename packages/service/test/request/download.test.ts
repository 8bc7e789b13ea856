import { describe, expect, test } from "vitest";
import { sentBody } from "../../src/request/download.ts";
import { TenantBudget } from "../../src/request/tenant-budget.ts";

const bytes = (length: number) => Uint8Array.from({ length }, (_, index) => index % 251);

describe("A body that is sent", () => {
  test("arrives unchanged, and ends once", async () => {
    let ends = 0;
    const onEnd = () => {
      ends += 1;
    };
    const sent = sentBody(bytes(200_000), { idleMs: 60_000, onEnd });
    expect(new Uint8Array(await new Response(sent).arrayBuffer())).toEqual(bytes(200_000));
    expect(ends).toBe(1);
  });

  test("ends when the client disconnects, and when it stops reading", async () => {
    let ends = 0;
    const onEnd = () => {
      ends += 1;
    };
    const left = sentBody(bytes(300_000), { idleMs: 60_000, onEnd }).getReader();
    await left.read();
    await left.cancel();
    expect(ends).toBe(1);
    const idle = sentBody(bytes(300_000), { idleMs: 10, onEnd }).getReader();
    await idle.read();
    await idle.read();
    await expect.poll(() => ends).toBe(2);
    await expect(idle.closed).rejects.toThrow("stopped reading");
  });
});

describe("The room for bytes", () => {
  test("is shared: one tenant gets half of it, and released room is free again", () => {
    const room = new TenantBudget(1000);
    room.holding("a").add(400);
    expect(() => room.holding("a").add(200)).toThrow("You have too many bytes in flight");
    const other = room.holding("b");
    other.add(500);
    expect(() => room.holding("c").add(200)).toThrow("busy with large requests");
    other.release();
    other.release();
    room.holding("c").add(200);
    expect(room.usedBytes).toBe(600);
  });

  test("is never filled by a few tenants with several pieces: the next tenant finds some", () => {
    const room = new TenantBudget(1000);
    for (const tenant of ["a", "b", "c"]) {
      const fill = () => {
        for (let count = 0; count < 100; count += 1) room.holding(tenant).add(10);
      };
      expect(fill).toThrow("You have too many bytes in flight");
    }
    room.holding("next").add(50);
  });

  test("accepts more than a share, piece by piece, if its tenant holds nothing else", () => {
    const room = new TenantBudget(1000);
    const long = room.holding("a");
    for (let piece = 0; piece < 50; piece += 1) long.add(100);
    expect(() => room.holding("b").add(20)).toThrow("busy with large requests");
    long.release();
    room.holding("b").add(20);
    expect(room.usedBytes).toBe(20);
  });

  test("always holds small requests of each tenant, however large another tenant's request is", () => {
    const room = new TenantBudget(1000);
    room.holding("a").add(5000);
    for (const tenant of ["b", "c"]) {
      room.holding(tenant).add(10);
      room.holding(tenant).add(5);
      expect(() => room.holding(tenant).add(1)).toThrow("You have too many bytes in flight");
    }
  });
});
