import type { NewDelivery, WebhookRecord, WebhookStore } from "@quire/contracts";
import { expect, onTestFinished, test } from "vitest";
import { makePlace, type Place } from "./support/place.ts";

async function twoStores(): Promise<{ place: Place; stores: readonly WebhookStore[] }> {
  const place = await makePlace();
  onTestFinished(place.destroy);
  return { place, stores: [place.open().webhooks, place.open().webhooks] };
}

function newWebhook(id: string): WebhookRecord {
  const target = { type: "file", id: "f" } as const;
  const address = "https://hooks.example";
  return { id, tenant: "t", target, address, triggers: ["A"], createdBy: "u", createdAt: 1 };
}

function newDeliveries(webhookId: string, from: number, count: number) {
  const giveUpAt = Date.now() + 3_600_000;
  return Array.from({ length: count }, (_, n) => ({
    ...{ id: `${webhookId}-${from + n}`, webhookId, body: "{}", giveUpAt },
  }));
}

test("webhooks with deliveries are added, sent and removed at the same time without deadlocks or wrong counts", async () => {
  const { place, stores } = await twoStores();
  const lane = async (number: number): Promise<void> => {
    const store = stores[number % 2] as WebhookStore;
    for (let round = 0; round < 25; round++) {
      const ids = [number % 3, (number + round) % 3].map((n) => `w${n}`);
      await store.add(newWebhook(ids[0] ?? "")).catch(() => {});
      await store.enqueue(ids.flatMap((id) => newDeliveries(id, round * 2, 4)));
      const taken = await store.take(5, 60_000);
      await Promise.all(taken.map(({ id }) => store.settle(id, { type: "done" })));
      if (round % 5 === number % 5) await store.remove("t", ids[1] ?? "").catch(() => {});
    }
  };
  await Promise.all([0, 1, 2, 3, 4, 5].map(lane));
  const { rows } = await place.query(
    `SELECT (SELECT count(*)::int FROM quire.webhook) AS webhooks,
       (SELECT count(*)::int FROM quire.delivery WHERE body IS NOT NULL) AS deliveries`,
  );
  expect(await stores[0]?.use("t")).toEqual(rows[0]);
  const { rows: orphans } = await place.query(
    "SELECT * FROM quire.delivery WHERE webhook_no NOT IN (SELECT no FROM quire.webhook)",
  );
  expect(orphans).toEqual([]);
  const { rows: found } = await place.query(
    "SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()",
  );
  expect(found).toEqual([{ deadlocks: 0 }]);
}, 60_000);

test("a webhook with thousands of waiting deliveries is removed with all of them, and no others", async () => {
  const { stores } = await twoStores();
  const [store] = stores as [WebhookStore];
  for (const id of ["w", "other"]) await store.add(newWebhook(id));
  await store.enqueue(newDeliveries("w", 0, 2500));
  await store.enqueue(newDeliveries("other", 0, 1));
  await store.remove("t", "w");
  expect(await store.find("t", "w")).toBeNull();
  expect(await store.use("t")).toEqual({ webhooks: 1, deliveries: 1 });
  expect((await store.take(10, 1000)).map(({ id }) => id)).toEqual(["other-0"]);
});

test("settled deliveries are forgotten after their giveUpAt", async () => {
  const { place, stores } = await twoStores();
  const [store] = stores as [WebhookStore];
  await store.add(newWebhook("w"));
  const [old, next, last] = newDeliveries("w", 0, 3) as [NewDelivery, NewDelivery, NewDelivery];
  await store.enqueue([{ ...old, giveUpAt: Date.now() - 1 }, next]);
  for (const { id } of [old, next]) await store.settle(id, { type: "done" });
  await store.enqueue([last]);
  const { rows } = await place.query("SELECT id FROM quire.delivery ORDER BY id");
  expect(rows.map(({ id }) => id)).toEqual([next.id, last.id]);
});

test("deliveries that are added together are taken in their order", async () => {
  const { stores } = await twoStores();
  const [store] = stores as [WebhookStore];
  await store.add(newWebhook("w"));
  const deliveries = newDeliveries("w", 0, 20).reverse();
  await store.enqueue(deliveries);
  const taken = await store.take(20, 1000);
  expect(taken.map(({ id }) => id)).toEqual(deliveries.map(({ id }) => id));
});
