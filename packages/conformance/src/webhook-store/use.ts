import assert from "node:assert/strict";
import type { WebhookStore } from "@quire/contracts";
import type { ServiceCases } from "../service-fixture.ts";
import { newDelivery, newWebhook, TENANT } from "./samples.ts";

/** The cases about a tenant's usage of a webhook store, by name. */
export const useCases: ServiceCases<WebhookStore> = {
  "webhooks and waiting deliveries are counted for their tenant, on every handle": async ({
    store,
    other,
  }) => {
    assert.deepEqual(await store.use(TENANT), { webhooks: 0, deliveries: 0 });
    await store.add(newWebhook("w1"));
    await other.add(newWebhook("w2"));
    await store.add(newWebhook("w3", { tenant: "b" }));
    const deliveries = ["d1", "d2", "d3"].map((id) => newDelivery(id, "w1"));
    await store.enqueue([...deliveries, newDelivery("d4", "w3"), newDelivery("d5", "gone")]);
    await other.enqueue(deliveries);
    for (const handle of [store, other]) {
      assert.deepEqual(await handle.use(TENANT), { webhooks: 2, deliveries: 3 });
      assert.deepEqual(await handle.use("b"), { webhooks: 1, deliveries: 1 });
      assert.deepEqual(await handle.use(), { webhooks: 2, deliveries: 3 });
    }
  },

  "a settled delivery no longer waits, and a delivery to retry does": async ({ store, other }) => {
    await store.add(newWebhook("w1"));
    await store.enqueue(["d1", "d2"].map((id) => newDelivery(id, "w1")));
    await store.take(2, 60_000);
    await other.settle("d1", { type: "done" });
    await other.settle("d1", { type: "done" });
    await other.settle("d2", { type: "again", at: Date.now() });
    assert.deepEqual(await store.use(TENANT), { webhooks: 1, deliveries: 1 });
  },

  "all webhooks of a tenant are erased with their deliveries, and other tenants are not affected":
    async ({ store, other }) => {
      await store.add(newWebhook("w1"));
      await store.add(newWebhook("w2"));
      await store.add(newWebhook("w3", { tenant: "b" }));
      await store.enqueue(["d1", "d2"].map((id) => newDelivery(id, "w1")));
      await store.settle("d2", { type: "done" });
      await store.enqueue([newDelivery("d3", "w3")]);
      assert.equal(await other.eraseTenant(TENANT), 2);
      assert.equal(await store.find(TENANT, "w1"), null);
      assert.deepEqual(await store.use(TENANT), { webhooks: 0, deliveries: 0 });
      assert.deepEqual(
        (await store.take(10, 1000)).map(({ id }) => id),
        ["d3"],
      );
      assert.equal(await store.eraseTenant(TENANT), 0);
    },

  "deliveries of a removed webhook are not counted": async ({ store, other }) => {
    await store.add(newWebhook("w1"));
    await store.add(newWebhook("w2"));
    await store.enqueue(["d1", "d2"].map((id) => newDelivery(id, "w1")));
    await store.settle("d2", { type: "done" });
    await other.remove(TENANT, "w1");
    assert.deepEqual(await store.use(TENANT), { webhooks: 1, deliveries: 0 });
    assert.deepEqual(await store.use(), { webhooks: 1, deliveries: 0 });
  },
};
