import assert from "node:assert/strict";
import type { WebhookRecord, WebhookStore } from "@quire/contracts";
import { rejects } from "../assertions.ts";
import {
  BAD_LIMITS,
  BAD_MARKERS,
  pages,
  registerServiceCases,
  type ServiceCases,
  type ServiceStoreConformanceOptions,
  type ServiceStoreFixture,
} from "../service-fixture.ts";
import { deliveryCases } from "./deliveries.ts";
import { newDelivery, newWebhook, TENANT } from "./samples.ts";
import { useCases } from "./use.ts";

/**
 * Tests the contract of `WebhookStore`, for any implementation and any runner. Some cases wait for leases to expire:
 * allow half a minute for each.
 */
export function webhookStoreConformance(
  options: ServiceStoreConformanceOptions<ServiceStoreFixture<WebhookStore>>,
): void {
  registerServiceCases({ ...webhookCases, ...deliveryCases, ...useCases }, options);
}

const webhookCases: ServiceCases<WebhookStore> = {
  "an added webhook is visible to every handle": async ({ store, other }) => {
    const webhook = newWebhook("w1", {
      target: { type: "file", id: "f 📄" },
      triggers: ["FILE.UPLOADED", "FILE.DELETED"],
      createdAt: 12,
    });
    await store.add(webhook);
    assert.deepEqual(await other.find(TENANT, "w1"), webhook);
    assert.equal(await other.find(TENANT, "w2"), null);
  },

  "changing a record after add does not change the webhook": async ({ store }) => {
    const triggers = ["A"];
    await store.add(newWebhook("w1", { triggers }));
    triggers.push("B");
    assert.deepEqual((await store.find(TENANT, "w1"))?.triggers, ["A"]);
  },

  "rejects an existing id with conflict, even if another tenant has it": async ({
    store,
    other,
  }) => {
    await store.add(newWebhook("w1", { address: "https://one.example" }));
    await rejects(other.add(newWebhook("w1")), "conflict");
    await rejects(other.add(newWebhook("w1", { tenant: "another" })), "conflict");
    assert.equal((await store.find(TENANT, "w1"))?.address, "https://one.example");
  },

  "webhooks are listed newest first, in pages of any size": async ({ store, other }) => {
    assert.deepEqual(await store.list(TENANT, { limit: 1 }), { items: [], nextMarker: null });
    const all: WebhookRecord[] = [];
    for (let n = 0; n < 7; n++) {
      const webhook = newWebhook(`w${n}`);
      await (n % 2 === 0 ? store : other).add(webhook);
      await other.add(newWebhook(`x${n}`, { tenant: "another" }));
      all.unshift(webhook);
    }
    for (const limit of [1, 2, 3, 6, 7, 8, 1000]) {
      const list = (marker?: string) => other.list(TENANT, { limit, marker });
      assert.deepEqual(await pages(limit, list), all);
    }
    const first = await other.list(TENANT, { limit: 2 });
    await store.add(newWebhook("new"));
    await store.remove(TENANT, "w5");
    await store.remove(TENANT, "w3");
    const rest = await other.list(TENANT, { limit: 10, marker: first.nextMarker ?? "" });
    assert.deepEqual(
      rest.items.map(({ id }) => id),
      ["w4", "w2", "w1", "w0"],
    );
  },

  "rejects an invalid marker or limit with invalid_request": async ({ store, other }) => {
    for (const id of ["a", "b"]) await store.add(newWebhook(id));
    for (const limit of BAD_LIMITS) {
      await rejects(other.list(TENANT, { limit }), "invalid_request");
      await rejects(other.take(limit, 1000), "invalid_request");
    }
    for (const marker of BAD_MARKERS)
      await rejects(other.list(TENANT, { limit: 1, marker }), "invalid_request");
    const marker = (await store.list(TENANT, { limit: 1 })).nextMarker ?? "";
    assert.match(marker, /^[\w.~-]+$/);
    await rejects(other.list("another", { limit: 1, marker }), "invalid_request");
  },

  "update changes only the given fields": async ({ store, other }) => {
    const webhook = newWebhook("w1");
    await store.add(webhook);
    await store.add(newWebhook("w2"));
    const address = "https://new.example/hook";
    assert.deepEqual(await other.update(TENANT, "w1", { address }), { ...webhook, address });
    const target = { type: "file", id: "f9" } as const;
    const changes = { target, triggers: ["C"] };
    const changed = { ...webhook, address, ...changes };
    assert.deepEqual(await other.update(TENANT, "w1", changes), changed);
    assert.deepEqual(await store.update(TENANT, "w1", {}), changed);
    assert.deepEqual(await store.find(TENANT, "w1"), changed);
    assert.equal((await store.find(TENANT, "w2"))?.address, webhook.address);
    assert.deepEqual(await wanted(other, "C", [target]), ["w1"]);
    assert.deepEqual(await wanted(other, "A", [webhook.target]), ["w2"]);
  },

  "tenants cannot see or change webhooks of other tenants": async ({ store, other }) => {
    const webhook = newWebhook("w1");
    await store.add(webhook);
    assert.equal(await other.find("another", "w1"), null);
    await rejects(other.update("another", "w1", { address: "https://x.example" }), "not_found");
    await rejects(other.remove("another", "w1"), "not_found");
    assert.deepEqual(await other.wanting("another", "A", [webhook.target]), []);
    assert.deepEqual((await other.list("another", { limit: 10 })).items, []);
    assert.deepEqual(await store.find(TENANT, "w1"), webhook);
  },

  "a removed webhook is gone": async ({ store, other }) => {
    const webhook = newWebhook("w1");
    await store.add(webhook);
    await other.remove(TENANT, "w1");
    assert.equal(await store.find(TENANT, "w1"), null);
    assert.deepEqual(await store.wanting(TENANT, "A", [webhook.target]), []);
    await rejects(store.remove(TENANT, "w1"), "not_found");
    await rejects(store.update(TENANT, "w1", {}), "not_found");
  },

  "wanting returns each webhook with the trigger and any of the targets once": async (place) => {
    const { store, other } = place;
    const [d1, d2, f1] = [target("folder", "1"), target("folder", "2"), target("file", "1")];
    await store.add(newWebhook("w1", { target: f1, triggers: ["A", "B"] }));
    await store.add(newWebhook("w2", { target: d1, triggers: ["A"] }));
    await store.add(newWebhook("w3", { target: d1, triggers: ["B", "AA"] }));
    await store.add(newWebhook("w4", { target: d2, triggers: ["A"] }));
    assert.deepEqual(await wanted(other, "A", [d1, f1]), ["w1", "w2"]);
    assert.deepEqual(await wanted(other, "B", [d1, d1, d2, f1]), ["w1", "w3"]);
    assert.deepEqual(await wanted(other, "A", [target("file", "2")]), []);
    assert.deepEqual(await wanted(other, "A", []), []);
    assert.deepEqual(await wanted(other, "C", [d1, d2, f1]), []);
  },

  "a closed store rejects every call": async ({ store, fixture }) => {
    if (fixture.close === undefined) return;
    const webhook = newWebhook("w1");
    await store.add(webhook);
    await fixture.close();
    const calls: (() => Promise<unknown>)[] = [
      () => store.add(newWebhook("w2")),
      () => store.find(TENANT, "w1"),
      () => store.list(TENANT, { limit: 1 }),
      () => store.update(TENANT, "w1", { address: "https://x.example" }),
      () => store.remove(TENANT, "w1"),
      () => store.wanting(TENANT, "A", [webhook.target]),
      () => store.enqueue([newDelivery("d1", "w1")]),
      () => store.take(1, 1000),
      () => store.settle("d1", { type: "done" }),
    ];
    for (const call of calls) await rejects(call(), "job_store_failed");
  },
};

function target(type: "file" | "folder", id: string): WebhookRecord["target"] {
  return { type, id };
}

async function wanted(
  store: WebhookStore,
  trigger: string,
  targets: readonly WebhookRecord["target"][],
): Promise<string[]> {
  return (await store.wanting(TENANT, trigger, targets)).map(({ id }) => id);
}
