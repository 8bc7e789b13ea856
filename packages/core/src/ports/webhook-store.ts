import type { RecordPage } from "./job-store.ts";

/** Where events are sent. */
export interface WebhookRecord {
  readonly id: string;
  readonly tenant: string;
  /** What it is about: a file or a folder of the tenant. */
  readonly target: { readonly type: "file" | "folder"; readonly id: string };
  readonly address: string;
  /** The names of the events. */
  readonly triggers: readonly string[];
  readonly createdBy: string;
  /** Milliseconds since 1970, by the wall clock. */
  readonly createdAt: number;
}

/** Options of {@link WebhookStore.list}. */
export interface WebhookQuery {
  readonly limit: number;
  /** `nextMarker` of the page before. */
  readonly marker?: string | undefined;
}

/** An event that is to be sent to a webhook. */
export interface NewDelivery {
  /** The same for the same event and webhook, however often it is added: then it is kept once. Unique over all tenants. */
  readonly id: string;
  readonly webhookId: string;
  /** What is sent, as JSON. */
  readonly body: string;
  /** Milliseconds since 1970: it is given up when it was not delivered by then. */
  readonly giveUpAt: number;
}

/** A delivery that is due, and that nobody else has in hand. */
export interface Delivery extends NewDelivery {
  /** As it is now. */
  readonly webhook: WebhookRecord;
  /** How often it was taken before. */
  readonly attempts: number;
}

/** How an attempt to deliver ended: for good (delivered, or given up), or to be tried again. */
export type DeliveryOutcome =
  | { readonly type: "done" }
  /** Not before this moment, in milliseconds since 1970. */
  | { readonly type: "again"; readonly at: number };

/** A tenant's use of a webhook store. */
export interface WebhookUse {
  readonly webhooks: number;
  /** Unsettled deliveries. */
  readonly deliveries: number;
}

/**
 * Webhooks and what is to be sent to them. Every method rejects with a `QuireError`: `job_store_failed` when the medium
 * fails or the store is closed, `not_found` for a webhook that the tenant has not. What is written is durable when
 * the promise resolves. Several handles of one place may be used at once. Who made it closes it.
 * `conformance/webhook-store.ts` is this contract as tests.
 */
export interface WebhookStore {
  /** Rejects `conflict` for an id that is there, also when another tenant has it. */
  add(webhook: WebhookRecord): Promise<void>;

  /** Null when the tenant has none with this id. */
  find(tenant: string, id: string): Promise<WebhookRecord | null>;

  /**
   * From the one that was added last on. What is added meanwhile is not in the way of the pages that follow.
   * Rejects `invalid_request` for a limit that is none, and for a marker that is none of this tenant's.
   */
  list(tenant: string, query: WebhookQuery): Promise<RecordPage<WebhookRecord>>;

  /** Changes what is given, and gives the webhook. */
  update(
    tenant: string,
    id: string,
    changes: Partial<Pick<WebhookRecord, "target" | "address" | "triggers">>,
  ): Promise<WebhookRecord>;

  /** Removes it with what was to be sent to it. */
  remove(tenant: string, id: string): Promise<void>;

  /** Those of a tenant that want an event about any of these targets, each once, in the order in which they were added. */
  wanting(
    tenant: string,
    trigger: string,
    targets: readonly WebhookRecord["target"][],
  ): Promise<readonly WebhookRecord[]>;

  /**
   * Keeps deliveries until they are settled; one whose webhook is gone, or that was kept once, is left out. What was
   * settled for good is known for as long as its `giveUpAt` has not passed.
   */
  enqueue(deliveries: readonly NewDelivery[]): Promise<void>;

  /**
   * Takes up to `limit` that are due, the longest waiting first; they are due again after `leaseMs`. Also one whose
   * `giveUpAt` has passed, so that whoever takes it can tell that it is given up. Rejects `invalid_request` for a
   * limit that is none.
   */
  take(limit: number, leaseMs: number): Promise<readonly Delivery[]>;

  /** Ends an attempt. What is not there any more, or was settled for good, stays so, and is not an error. */
  settle(id: string, outcome: DeliveryOutcome): Promise<void>;

  /**
   * The use of a tenant; without a tenant, the maximum of each number over all tenants. Updated with each change, so
   * the cost does not grow with the store.
   */
  use(tenant?: string): Promise<WebhookUse>;

  /**
   * Removes all webhooks of a tenant with their waiting deliveries. Returns the number of webhooks. After an
   * interruption, call it again to finish.
   */
  eraseTenant(tenant: string): Promise<number>;
}
