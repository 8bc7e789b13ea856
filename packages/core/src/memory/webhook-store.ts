import {
  assertLimit,
  type Delivery,
  type DeliveryOutcome,
  type NewDelivery,
  parseMarker,
  type RecordPage,
  serviceStoreProblems,
  toMarker,
  type WebhookQuery,
  type WebhookRecord,
  type WebhookStore,
  type WebhookUse,
} from "@quire/contracts";
import { maxUseOf } from "./max-use.ts";

/** Options of {@link memoryWebhookStore}. */
export interface MemoryWebhookStoreOptions {
  /** The wall clock, in milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

/**
 * Creates a webhook store in memory: the reference implementation of the port, for tests and trials. It does not have
 * to be closed.
 */
export function memoryWebhookStore(options: MemoryWebhookStoreOptions = {}): WebhookStore {
  return new MemoryWebhookStore(options.now ?? Date.now);
}

const NONE: WebhookUse = { webhooks: 0, deliveries: 0 };

interface Kept {
  /** Grows with each webhook: a stable position in listings. */
  readonly number: number;
  webhook: WebhookRecord;
}

interface Waiting {
  readonly delivery: NewDelivery;
  attempts: number;
  dueAt: number;
  isSettled: boolean;
}

class MemoryWebhookStore implements WebhookStore {
  readonly #webhooks = new Map<string, Kept>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #now: () => number;
  #last = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  async add(webhook: WebhookRecord): Promise<void> {
    if (this.#webhooks.has(webhook.id)) throw serviceStoreProblems.webhookKnown(webhook.id);
    this.#last += 1;
    this.#webhooks.set(webhook.id, { number: this.#last, webhook: copyOf(webhook) });
  }

  async find(tenant: string, id: string): Promise<WebhookRecord | null> {
    const webhook = this.#webhooks.get(id)?.webhook;
    return webhook?.tenant === tenant ? webhook : null;
  }

  async list(tenant: string, { limit, marker }: WebhookQuery): Promise<RecordPage<WebhookRecord>> {
    assertLimit(limit);
    const listing = `webhooks ${tenant}`;
    const [before = Number.POSITIVE_INFINITY] = parseMarker(listing, marker, ["number"]);
    const rest = [...this.#webhooks.values()]
      .filter(({ number, webhook }) => webhook.tenant === tenant && number < Number(before))
      .reverse();
    const page = rest.slice(0, limit);
    const end = rest.length > limit ? page.at(-1) : undefined;
    return {
      items: page.map(({ webhook }) => webhook),
      nextMarker: end === undefined ? null : toMarker(listing, [end.number]),
    };
  }

  async update(
    tenant: string,
    id: string,
    changes: Partial<Pick<WebhookRecord, "target" | "address" | "triggers">>,
  ): Promise<WebhookRecord> {
    const kept = this.#own(tenant, id);
    const {
      target = kept.webhook.target,
      address = kept.webhook.address,
      triggers = kept.webhook.triggers,
    } = changes;
    kept.webhook = copyOf({ ...kept.webhook, target, address, triggers });
    return kept.webhook;
  }

  async remove(tenant: string, id: string): Promise<void> {
    this.#own(tenant, id);
    this.#webhooks.delete(id);
    for (const { delivery } of [...this.#waiting.values()]) {
      if (delivery.webhookId === id) this.#waiting.delete(delivery.id);
    }
  }

  async eraseTenant(tenant: string): Promise<number> {
    const own = [...this.#webhooks.values()].filter(({ webhook }) => webhook.tenant === tenant);
    for (const { webhook } of own) await this.remove(tenant, webhook.id);
    return own.length;
  }

  async wanting(
    tenant: string,
    trigger: string,
    targets: readonly WebhookRecord["target"][],
  ): Promise<readonly WebhookRecord[]> {
    return [...this.#webhooks.values()]
      .map(({ webhook }) => webhook)
      .filter((webhook) => webhook.tenant === tenant && webhook.triggers.includes(trigger))
      .filter(({ target }) =>
        targets.some(({ type, id }) => type === target.type && id === target.id),
      );
  }

  async enqueue(deliveries: readonly NewDelivery[]): Promise<void> {
    const now = this.#now();
    for (const { delivery, isSettled } of [...this.#waiting.values()]) {
      if (isSettled && delivery.giveUpAt < now) this.#waiting.delete(delivery.id);
    }
    for (const { id, webhookId, body, giveUpAt } of deliveries) {
      if (!this.#webhooks.has(webhookId) || this.#waiting.has(id)) continue;
      const delivery = { id, webhookId, body, giveUpAt };
      this.#waiting.set(id, { delivery, attempts: 0, dueAt: now, isSettled: false });
    }
  }

  async take(limit: number, leaseMs: number): Promise<readonly Delivery[]> {
    assertLimit(limit);
    const now = this.#now();
    const due = [...this.#waiting.values()]
      .filter(({ dueAt, isSettled }) => !isSettled && dueAt <= now)
      .sort((a, b) => a.dueAt - b.dueAt)
      .slice(0, limit);
    return due.flatMap((waiting) => {
      const { delivery, attempts } = waiting;
      const webhook = this.#webhooks.get(delivery.webhookId)?.webhook;
      if (webhook === undefined) return [];
      waiting.dueAt = now + leaseMs;
      waiting.attempts += 1;
      return [{ ...delivery, webhook, attempts }];
    });
  }

  async settle(id: string, outcome: DeliveryOutcome): Promise<void> {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined || waiting.isSettled) return;
    if (outcome.type === "done") waiting.isSettled = true;
    else waiting.dueAt = outcome.at;
  }

  async use(tenant?: string): Promise<WebhookUse> {
    const uses = new Map<string, WebhookUse>();
    for (const { webhook } of this.#webhooks.values()) {
      const { webhooks, deliveries } = uses.get(webhook.tenant) ?? NONE;
      const open = [...this.#waiting.values()].filter(
        ({ delivery, isSettled }) => delivery.webhookId === webhook.id && !isSettled,
      );
      uses.set(webhook.tenant, { webhooks: webhooks + 1, deliveries: deliveries + open.length });
    }
    return tenant === undefined ? maxUseOf(NONE, uses.values()) : (uses.get(tenant) ?? NONE);
  }

  #own(tenant: string, id: string): Kept {
    const kept = this.#webhooks.get(id);
    if (kept?.webhook.tenant !== tenant) throw serviceStoreProblems.noWebhook(id);
    return kept;
  }
}

/** Returns a copy, so that callers cannot change the stored record. */
function copyOf(webhook: WebhookRecord): WebhookRecord {
  const { id, tenant, target, address, triggers, createdBy, createdAt } = webhook;
  return {
    id,
    tenant,
    target: { type: target.type, id: target.id },
    address,
    triggers: [...triggers],
    createdBy,
    createdAt,
  };
}
