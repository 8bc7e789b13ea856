import type { WebhookRecord, WebhookStore } from "@quire/core/host";
import type { TenantQuotas } from "../limits/quotas.ts";

/** Changes to webhooks that quotas may prevent: new webhooks and new targets. */
export interface WebhookChanges {
  /** Adds a webhook. Rejects `quota_exceeded` if a quota does not permit it. Otherwise rejects like the store. */
  add(webhook: WebhookRecord): Promise<void>;
  /** Changes a webhook. Rejects `quota_exceeded` if a quota does not permit it. Otherwise rejects like the store. */
  update(
    tenant: string,
    id: string,
    changes: Parameters<WebhookStore["update"]>[2],
  ): Promise<WebhookRecord>;
}

/**
 * Changes webhooks of a store, one at a time for each tenant, so that each change is counted before the next one.
 * Processes that share a store do not wait for each other, so together they may exceed a quota slightly.
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
