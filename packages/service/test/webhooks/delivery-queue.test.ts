import type { Delivery } from "@quire/core";
import { describe, expect, test } from "vitest";
import { createDeliveryQueue } from "../../src/webhooks/delivery-queue.ts";

function delivery(webhookId: string, number: number): Delivery {
  const id = `${webhookId}${number}`;
  const target = { type: "file" as const, id: "1" };
  const webhook = {
    id: webhookId,
    tenant: "t",
    target,
    address: "",
    triggers: [],
    createdBy: "",
    createdAt: 0,
  };
  return { id, webhookId, body: "", giveUpAt: 0, attempts: 0, webhook };
}

function filled(places: number, counts: Record<string, number>) {
  const hand = createDeliveryQueue(places);
  for (const [webhookId, count] of Object.entries(counts)) {
    for (let number = 1; number <= count; number += 1) hand.add(delivery(webhookId, number), 100);
  }
  return hand;
}

function all(hand: ReturnType<typeof createDeliveryQueue>, now = 0): Delivery[] {
  const begun: Delivery[] = [];
  for (let next = hand.next(now); next !== null; next = hand.next(now)) begun.push(next);
  return begun;
}

const idsOf = (deliveries: Delivery[]) => deliveries.map(({ id }) => id);

describe("deliveries in memory", () => {
  test("are started in turns, with at most three places for one webhook", () => {
    const hand = filled(8, { a: 9, b: 2 });
    expect(idsOf(all(hand))).toEqual(["a1", "b1", "a2", "b2", "a3"]);
    expect([hand.running, hand.waiting, hand.hasFreePlace]).toEqual([5, 6, true]);
  });

  test("never occupy more places than there are", () => {
    const hand = filled(2, { a: 2, b: 2 });
    const begun = all(hand);
    expect([begun.length, hand.hasFreePlace]).toEqual([2, false]);
    for (const one of begun) hand.ended(one, false);
    expect(idsOf(all(hand))).toEqual(["a2", "b2"]);
  });

  test("to slow receivers have one place each, and half of all together", () => {
    const hand = filled(4, { a: 3, b: 3, c: 3, d: 3 });
    for (const one of all(hand)) hand.ended(one, true);
    expect(idsOf(all(hand))).toEqual(["a2", "b2"]);
    for (let number = 1; number <= 3; number += 1) hand.add(delivery("e", number), 100);
    expect(idsOf(all(hand))).toEqual(["e1", "e2"]);
  });

  test("to receivers that are fast again have three places again", () => {
    const hand = filled(8, { a: 9 });
    const [one, ...others] = all(hand) as [Delivery, ...Delivery[]];
    for (const other of others) hand.ended(other, false);
    hand.ended(one, true);
    const [again, ...more] = all(hand) as [Delivery, ...Delivery[]];
    expect(more).toEqual([]);
    hand.ended(again, false);
    expect(all(hand)).toHaveLength(3);
  });

  test("remain in the store if one webhook, or all together, have too many, or if it is too late", () => {
    const hand = filled(1, { a: 600 });
    expect(hand.waiting).toBe(512);
    expect(hand.add(delivery("a", 513), 100)).toBe(false);
    expect(hand.add(delivery("b", 1), 200)).toBe(true);
    expect(idsOf(all(hand, 150))).toEqual(["b1"]);
    expect(hand.waiting).toBe(0);
    const many = createDeliveryQueue(1);
    for (let n = 0; n < 5_000; n += 1) many.add(delivery(`w${n}`, 1), 100);
    expect(many.waiting).toBe(4_096);
  });

  test("exist once, however often they are added", () => {
    const hand = filled(8, { a: 1 });
    expect(hand.add(delivery("a", 1), 100)).toBe(true);
    const [one] = all(hand) as [Delivery];
    expect(hand.add(delivery("a", 1), 100)).toBe(true);
    expect(all(hand)).toEqual([]);
    hand.ended(one, false);
    expect([hand.running, hand.waiting]).toEqual([0, 0]);
  });

  test("are cleared together", () => {
    const hand = filled(8, { a: 9, b: 1 });
    hand.next(0);
    hand.clear();
    expect([hand.running, hand.waiting, hand.next(0)]).toEqual([1, 0, null]);
  });
});
