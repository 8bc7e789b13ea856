import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Delivery, WebhookStore } from "@quire/contracts";
import type { ServiceCases } from "../service-fixture.ts";
import { newDelivery, newWebhook, TENANT } from "./samples.ts";

/** A lease that lasts longer than any case. */
const LEASE_MS = 600_000;

/** The cases about deliveries, by name. */
export const deliveryCases: ServiceCases<WebhookStore> = {
  "a delivery is taken with the current state of its webhook": async ({ store, other }) => {
    await store.add(newWebhook("w1"));
    const delivery = newDelivery("d1", "w1", { body: '{"name":"ä 📄\\u0000"}' });
    await store.enqueue([delivery]);
    const address = "https://new.example";
    const webhook = await store.update(TENANT, "w1", { address });
    const taken = await other.take(10, LEASE_MS);
    assert.deepEqual(taken, [{ ...delivery, webhook, attempts: 0 }]);
  },

  "a leased delivery is not taken by others": async ({ store, other }) => {
    await store.add(newWebhook("w1"));
    await store.enqueue(Array.from({ length: 30 }, (_, n) => newDelivery(`d${n}`, "w1")));
    const taken = await Promise.all(
      Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? store : other).take(4, LEASE_MS)),
    );
    for (const each of taken) assert.ok(each.length <= 4);
    const ids = taken.flatMap(idsOf);
    assert.equal(ids.length, 30);
    assert.equal(new Set(ids).size, 30);
    assert.deepEqual(await other.take(4, LEASE_MS), []);
  },

  "an unsettled delivery is due again after the lease, and the attempt counts": async ({
    store,
    other,
  }) => {
    await store.add(newWebhook("w1"));
    await store.enqueue([newDelivery("d1", "w1")]);
    assert.deepEqual(attemptsOf(await store.take(1, 300)), [0]);
    assert.deepEqual(attemptsOf(await takeSoon(other, 1, 300)), [1]);
    assert.deepEqual(attemptsOf(await takeSoon(store, 1, LEASE_MS)), [2]);
    assert.deepEqual(await other.take(1, LEASE_MS), []);
  },

  "a delivery to retry is due at its time, with its number of attempts": async ({
    store,
    other,
  }) => {
    await store.add(newWebhook("w1"));
    await store.enqueue([newDelivery("d1", "w1"), newDelivery("d2", "w1")]);
    await store.take(2, LEASE_MS);
    await store.settle("d1", { type: "again", at: Date.now() + LEASE_MS });
    await store.settle("d2", { type: "again", at: Date.now() - 1 });
    const again = await other.take(2, LEASE_MS);
    assert.deepEqual([idsOf(again), attemptsOf(again)], [["d2"], [1]]);
    const at = Date.now() + 300;
    await other.settle("d2", { type: "again", at });
    const [third] = await takeSoon(store, 1, LEASE_MS);
    assert.deepEqual([third?.id, third?.attempts], ["d2", 2]);
    assert.ok(Date.now() >= at);
  },

  "a delivery that is settled for good does not return": async ({ store, other }) => {
    await store.add(newWebhook("w1"));
    const delivery = newDelivery("d1", "w1");
    await store.enqueue([delivery]);
    await store.take(1, 1);
    await other.settle("d1", { type: "done" });
    // A late call, after the lease has expired, changes nothing.
    await store.settle("d1", { type: "again", at: 0 });
    await store.settle("d1", { type: "done" });
    await sleep(20);
    assert.deepEqual(await store.take(10, LEASE_MS), []);
    await other.enqueue([delivery]);
    assert.deepEqual(await store.take(10, LEASE_MS), []);
  },

  "deliveries that are settled at once keep their own outcomes": async ({ store, other }) => {
    await store.add(newWebhook("w1"));
    await store.add(newWebhook("w2", { tenant: "other" }));
    const numbers = Array.from({ length: 100 }, (_, n) => n);
    await store.enqueue(numbers.map((n) => newDelivery(`d${n}`, n % 2 === 0 ? "w1" : "w2")));
    await store.take(100, LEASE_MS);
    const now = Date.now();
    // Every third delivery is tried again. Both processes settle each delivery, and a missing one.
    const settled = [...numbers, 100].flatMap((n) =>
      [store, other].map((one) =>
        one.settle(`d${n}`, n % 3 === 0 ? { type: "again", at: now } : { type: "done" }),
      ),
    );
    await Promise.all(settled);
    const again = numbers.filter((n) => n % 3 === 0).map((n) => `d${n}`);
    assert.deepEqual(idsOf(await store.take(100, LEASE_MS)).sort(), again.toSorted());
    assert.deepEqual(await store.use(TENANT), { webhooks: 1, deliveries: 17 });
    assert.deepEqual(await store.use("other"), { webhooks: 1, deliveries: 17 });
  },

  "settling a missing delivery is not an error": async ({ store }) => {
    await store.settle("none", { type: "done" });
    await store.settle("none", { type: "again", at: 0 });
    assert.deepEqual(await store.take(10, LEASE_MS), []);
  },

  "a delivery that is added repeatedly is kept once, in its first form": async ({
    store,
    other,
  }) => {
    await store.add(newWebhook("w1"));
    const first = newDelivery("d1", "w1");
    const again = newDelivery("d1", "w1", { body: "{}" });
    await store.enqueue([first, again]);
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? store : other).enqueue([again])),
    );
    const taken = await other.take(10, LEASE_MS);
    assert.deepEqual([idsOf(taken), taken[0]?.body], [["d1"], first.body]);
    await store.enqueue([again]);
    assert.deepEqual(await other.take(10, LEASE_MS), []);
  },

  "deliveries are taken in the order of their waiting time": async ({ store, other }) => {
    await store.add(newWebhook("w1"));
    for (const id of ["d1", "d2", "d3"]) {
      await store.enqueue([newDelivery(id, "w1")]);
      await sleep(5);
    }
    assert.deepEqual(idsOf(await other.take(1, LEASE_MS)), ["d1"]);
    await other.settle("d1", { type: "again", at: Date.now() });
    assert.deepEqual(idsOf(await store.take(2, LEASE_MS)), ["d2", "d3"]);
    await store.settle("d3", { type: "again", at: 1 });
    assert.deepEqual(idsOf(await takeSoon(store, 2, LEASE_MS)), ["d3", "d1"]);
  },

  "a delivery past its giveUpAt is taken, so that it can be given up": async ({ store }) => {
    await store.add(newWebhook("w1"));
    await store.enqueue([newDelivery("d1", "w1", { giveUpAt: 1 })]);
    const [taken] = await store.take(1, LEASE_MS);
    assert.equal(taken?.giveUpAt, 1);
    await store.settle("d1", { type: "done" });
    assert.deepEqual(await store.take(1, LEASE_MS), []);
  },

  "deliveries are removed with their webhook, and rejected for a removed one": async ({
    store,
    other,
  }) => {
    for (const id of ["w1", "w2"]) await store.add(newWebhook(id));
    await store.enqueue([newDelivery("d1", "w1"), newDelivery("d2", "w1")]);
    assert.deepEqual(idsOf(await store.take(1, LEASE_MS)), ["d1"]);
    await other.remove(TENANT, "w1");
    await store.settle("d1", { type: "again", at: 0 });
    assert.deepEqual(await store.take(10, LEASE_MS), []);
    const more = [newDelivery("d3", "w1"), newDelivery("d4", "w2"), newDelivery("d5", "none")];
    await store.enqueue(more);
    assert.deepEqual(idsOf(await other.take(10, LEASE_MS)), ["d4"]);
    // A webhook with the same id does not get the old deliveries.
    await store.add(newWebhook("w1"));
    assert.deepEqual(await other.take(10, LEASE_MS), []);
  },

  "taking nothing and adding nothing are not errors": async ({ store }) => {
    await store.enqueue([]);
    assert.deepEqual(await store.take(10, LEASE_MS), []);
  },
};

/** Waits until `count` deliveries can be taken. The time limit is long enough for a slow machine. */
async function takeSoon(
  store: WebhookStore,
  count: number,
  leaseMs: number,
): Promise<readonly Delivery[]> {
  const taken: Delivery[] = [];
  for (const end = performance.now() + 15_000; taken.length < count; await sleep(10)) {
    assert.ok(performance.now() < end, `${count} deliveries should be due.`);
    taken.push(...(await store.take(count - taken.length, leaseMs)));
  }
  return taken;
}

function idsOf(deliveries: readonly Delivery[]): string[] {
  return deliveries.map(({ id }) => id);
}

function attemptsOf(deliveries: readonly Delivery[]): number[] {
  return deliveries.map(({ attempts }) => attempts);
}
