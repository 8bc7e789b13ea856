import { memoryWebhookStore, type WebhookStore } from "@quire/core";

/** Returns a webhook store in memory that uses the test's clock. `open` returns the number of unsettled deliveries. */
export function webhookStore(now: () => number = Date.now): WebhookStore & {
  readonly open: () => number;
} {
  const store = memoryWebhookStore({ now });
  const known = new Set<string>();
  const open = new Map<string, string>();
  return {
    open: () => open.size,
    add: (webhook) => store.add(webhook),
    find: (tenant, id) => store.find(tenant, id),
    list: (tenant, query) => store.list(tenant, query),
    update: (tenant, id, changes) => store.update(tenant, id, changes),
    wanting: (tenant, trigger, targets) => store.wanting(tenant, trigger, targets),
    use: (tenant) => store.use(tenant),
    eraseTenant: (tenant) => store.eraseTenant(tenant),
    take: (limit, leaseMs) => store.take(limit, leaseMs),
    async remove(tenant, id) {
      await store.remove(tenant, id);
      for (const [delivery, webhook] of open) if (webhook === id) open.delete(delivery);
    },
    async enqueue(deliveries) {
      await store.enqueue(deliveries);
      for (const { id, webhookId } of deliveries) {
        if (!known.has(id)) open.set(id, webhookId);
        known.add(id);
      }
    },
    async settle(id, outcome) {
      await store.settle(id, outcome);
      if (outcome.type === "done") open.delete(id);
    },
  };
}
