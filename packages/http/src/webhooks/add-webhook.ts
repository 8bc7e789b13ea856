import { QuireError, type WebhookRecord, type WebhookStore } from "@quire/core/host";

/** How many webhooks a tenant may have: each event is kept and sent once for every one that wants it. */
export const MAX_WEBHOOKS = 100;

/**
 * Adds webhooks to a store, those of a tenant one after the other so that they are counted as they come. Rejects
 * `conflict` when the tenant has {@link MAX_WEBHOOKS}, else as the store does. Processes that share a store count each
 * for itself: together they may add a few more.
 */
export function adder(store: WebhookStore): (webhook: WebhookRecord) => Promise<void> {
  const last = new Map<string, Promise<void>>();
  return async (webhook) => {
    const { tenant } = webhook;
    const before = last.get(tenant) ?? Promise.resolve();
    const added = before.then(() => addCounted(store, webhook));
    const ended = added.catch(() => {});
    last.set(tenant, ended);
    try {
      await added;
    } finally {
      if (last.get(tenant) === ended) last.delete(tenant);
    }
  };
}

async function addCounted(store: WebhookStore, webhook: WebhookRecord): Promise<void> {
  const { items } = await store.list(webhook.tenant, { limit: MAX_WEBHOOKS + 1 });
  if (items.length < MAX_WEBHOOKS) return store.add(webhook);
  throw new QuireError(
    "conflict",
    `The enterprise has ${MAX_WEBHOOKS} webhooks, and cannot have more. Delete one that is not needed, or have one ` +
      "that stands on a folder further up tell of several.",
  );
}
