import type { WebhookRecord, WebhookStore } from "@quire/core/host";
import type { TenantQuotas } from "../quotas.ts";

/** What makes webhooks more, or has them tell of something else. */
export interface WebhookChanges {
  /** Rejects `quota_exceeded`, else as the store does. */
  add(webhook: WebhookRecord): Promise<void>;
  /** Likewise. */
  update(
    tenant: string,
    id: string,
    changes: Parameters<WebhookStore["update"]>[2],
  ): Promise<WebhookRecord>;
}

/**
 * Changes webhooks of a store, those of a tenant one after the other so that they are counted as they come. Processes
 * that share a store count each for itself: together they may add a few more.
 */
export function webhookChanges(store: WebhookStore, quotas: TenantQuotas | null): WebhookChanges {
  const last = new Map<string, Promise<unknown>>();
  const inTurn = async <T>(tenant: string, change: () => Promise<T>): Promise<T> => {
    const before = last.get(tenant) ?? Promise.resolve();
    const changed = before.then(change);
    const ended = changed.catch(() => {});
    last.set(tenant, ended);
    try {
      return await changed;
    } finally {
      if (last.get(tenant) === ended) last.delete(tenant);
    }
  };
  return {
    add: (webhook) =>
      inTurn(webhook.tenant, async () => {
        await quotas?.admitWebhook(webhook.tenant, webhook.target, null);
        await store.add(webhook);
      }),
    update: (tenant, id, changes) =>
      inTurn(tenant, async () => {
        const { target } = changes;
        if (target !== undefined) await quotas?.admitWebhook(tenant, target, id);
        return store.update(tenant, id, changes);
      }),
  };
}
