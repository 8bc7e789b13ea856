import type { RecordPage } from "./job-store.ts";

/** A webhook: the address that receives the events of a target. */
export interface WebhookRecord {
  /** Unique over all tenants. The caller chooses it. */
  readonly id: string;
  /** The tenant that owns the webhook and its target. */
  readonly tenant: string;
  /** The subject of the events: a file or a folder of the tenant. */
  readonly target: {
    /** A folder's events include the events of all files and folders below it. */
    readonly type: "file" | "folder";
    /** Its id in the catalog. */
    readonly id: string;
  };
  /** The URL that deliveries are sent to. The store does not check it. */
  readonly address: string;
  /** The names of the events to send. */
  readonly triggers: readonly string[];
  /** The user who added the webhook. */
  readonly createdBy: string;
  /** Milliseconds since 1970, by the wall clock. */
  readonly createdAt: number;
}

/** Options of {@link WebhookStore.list}. */
export interface WebhookQuery {
  /** Maximum number of webhooks in the page: a positive integer. */
  readonly limit: number;
  /** `nextMarker` of the page before. */
  readonly marker?: string | undefined;
}

/** An event to send to a webhook. */
export interface NewDelivery {
  /**
   * Always the same for an event and a webhook: a delivery that is added several times is kept once. Unique over all
   * tenants.
   */
  readonly id: string;
  /** The webhook that gets the event. */
  readonly webhookId: string;
  /** The body to send, as JSON. */
  readonly body: string;
  /** Milliseconds since 1970. A delivery that has not succeeded by then is given up. */
  readonly giveUpAt: number;
}

/** A delivery that is due, leased to this caller. */
export interface Delivery extends NewDelivery {
  /** The current state of the webhook. */
  readonly webhook: WebhookRecord;
  /** Number of earlier attempts to send it. */
  readonly attempts: number;
}

/** How an attempt to deliver ended: for good (delivered or given up), or with a retry. */
export type DeliveryOutcome =
  | { readonly type: "done" }
  | {
      readonly type: "again";
      /** The earliest time of the retry, in milliseconds since 1970. */
      readonly at: number;
    };

/** A tenant's usage of a webhook store. */
export interface WebhookUse {
  /** Webhooks that have not been removed. */
  readonly webhooks: number;
  /** Deliveries that have neither succeeded nor been given up. */
  readonly deliveries: number;
}

/**
 * Webhooks and their deliveries. Every method rejects with a `QuireError`: `job_store_failed` if the medium fails or
 * the store is closed, `not_found` for a webhook that the tenant does not have. Writes are durable when the promise
 * resolves. Several handles to the same database may be used at once. The creator closes the store.
 * `conformance/webhook-store.ts` tests this contract.
 */
export interface WebhookStore {
  /** Adds a webhook. Rejects `conflict` if the id exists, even for another tenant. */
  add(webhook: WebhookRecord): Promise<void>;

  /** Returns a webhook; null if the tenant has no webhook with this id. */
  find(tenant: string, id: string): Promise<WebhookRecord | null>;

  /**
   * Lists webhooks, newest first. New webhooks do not shift the pages that follow. Rejects `invalid_request` for an
   * invalid limit, and for a marker that does not belong to this tenant.
   */
  list(tenant: string, query: WebhookQuery): Promise<RecordPage<WebhookRecord>>;

  /** Changes these fields of a webhook and returns it. */
  update(
    tenant: string,
    id: string,
    changes: Partial<Pick<WebhookRecord, "target" | "address" | "triggers">>,
  ): Promise<WebhookRecord>;

  /** Removes a webhook with its waiting deliveries. */
  remove(tenant: string, id: string): Promise<void>;

  /**
   * Returns the webhooks of a tenant that want this event of any of these targets, each once, in the order in which
   * they were added.
   */
  wanting(
    tenant: string,
    trigger: string,
    targets: readonly WebhookRecord["target"][],
  ): Promise<readonly WebhookRecord[]>;

  /**
   * Keeps deliveries until they are settled. Skips a delivery whose webhook is gone, and a delivery that was added
   * before. A settled delivery is remembered until its `giveUpAt`.
   */
  enqueue(deliveries: readonly NewDelivery[]): Promise<void>;

  /**
   * Takes up to `limit` due deliveries, longest wait first; they are due again after `leaseMs`. Also takes
   * deliveries whose `giveUpAt` has passed, so that the caller can report that they are given up. Rejects
   * `invalid_request` for an invalid limit.
   */
  take(limit: number, leaseMs: number): Promise<readonly Delivery[]>;

  /**
   * Ends an attempt. Settling a delivery that is gone or already settled for good changes nothing, and is not an error.
   */
  settle(id: string, outcome: DeliveryOutcome): Promise<void>;

  /**
   * Returns the usage of a tenant; without `tenant`, the maximum of each number over all tenants. Updated with each
   * change, so the cost does not grow with the store.
   */
  use(tenant?: string): Promise<WebhookUse>;

  /**
   * Removes all webhooks of a tenant with their waiting deliveries. Returns the number of webhooks. After an
   * interruption, call it again to finish.
   */
  eraseTenant(tenant: string): Promise<number>;
}
