import { setImmediate as nextTurn } from "node:timers/promises";
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
import type { Database, Row } from "../database/database.ts";
import { useOf } from "../database/tenant-use.ts";
import type { Writer } from "../database/writer.ts";
import {
  eraseSome,
  insertDeliveries,
  isAnyDue,
  removeSome,
  settleDelivery,
  takeDeliveries,
} from "./deliveries.ts";
import { WEBHOOK_COLUMNS, webhookRecord } from "./webhook-rows.ts";

/** Creates a webhook store in the file of a job store. The job store closes it. */
export function sqliteWebhookStore(database: Database, writer: Writer): WebhookStore {
  return new SqliteWebhookStore(database, writer);
}

class SqliteWebhookStore implements WebhookStore {
  readonly #database: Database;
  readonly #writer: Writer;

  constructor(database: Database, writer: Writer) {
    this.#database = database;
    this.#writer = writer;
  }

  async add(webhook: WebhookRecord): Promise<void> {
    const { id, tenant, target, address, createdBy, createdAt } = webhook;
    const triggers = JSON.stringify(webhook.triggers);
    const { type, id: targetId } = target;
    await this.#writer.write(() => {
      const added = this.#database.run(
        `INSERT OR IGNORE INTO webhook (id, tenant, target_type, target_id, address, triggers, created_by, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        id,
        tenant,
        type,
        targetId,
        address,
        triggers,
        createdBy,
        createdAt,
      );
      if (added === 0) throw serviceStoreProblems.webhookKnown(id);
    });
  }

  async find(tenant: string, id: string): Promise<WebhookRecord | null> {
    const row = this.#find(tenant, id);
    return row === undefined ? null : webhookRecord(row);
  }

  async list(tenant: string, { limit, marker }: WebhookQuery): Promise<RecordPage<WebhookRecord>> {
    assertLimit(limit);
    const listing = `webhooks ${tenant}`;
    const [before = Number.MAX_SAFE_INTEGER] = parseMarker(listing, marker, ["number"]);
    const rows = this.#database.all(
      `SELECT ${WEBHOOK_COLUMNS} FROM webhook INDEXED BY webhook_order
       WHERE tenant = ? AND no < ? ORDER BY no DESC LIMIT ?`,
      tenant,
      before,
      limit + 1,
    );
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      items: page.map(webhookRecord),
      nextMarker: last ? toMarker(listing, [Number(last.no)]) : null,
    };
  }

  async update(
    tenant: string,
    id: string,
    changes: Partial<Pick<WebhookRecord, "target" | "address" | "triggers">>,
  ): Promise<WebhookRecord> {
    return this.#writer.write(() => {
      const row = this.#own(tenant, id);
      const known = webhookRecord(row);
      const { target = known.target, address = known.address, triggers = known.triggers } = changes;
      this.#database.run(
        "UPDATE webhook SET target_type = ?, target_id = ?, address = ?, triggers = ? WHERE no = ?",
        target.type,
        target.id,
        address,
        JSON.stringify(triggers),
        Number(row.no),
      );
      return webhookRecord(this.#own(tenant, id));
    });
  }

  async remove(tenant: string, id: string): Promise<void> {
    const no = Number(this.#own(tenant, id).no);
    while (await this.#writer.write(() => removeSome(this.#database, no))) await nextTurn();
  }

  async eraseTenant(tenant: string): Promise<number> {
    const { webhooks } = await this.use(tenant);
    while (await this.#writer.write(() => eraseSome(this.#database, tenant))) await nextTurn();
    return webhooks;
  }

  async wanting(
    tenant: string,
    trigger: string,
    targets: readonly WebhookRecord["target"][],
  ): Promise<readonly WebhookRecord[]> {
    const found = new Map<number, WebhookRecord>();
    for (const { type, id } of targets) {
      const rows = this.#database.all(
        `SELECT ${WEBHOOK_COLUMNS} FROM webhook WHERE tenant = ? AND target_type = ? AND target_id = ?`,
        tenant,
        type,
        id,
      );
      for (const row of rows) found.set(Number(row.no), webhookRecord(row));
    }
    return [...found]
      .sort(([a], [b]) => a - b)
      .map(([, webhook]) => webhook)
      .filter(({ triggers }) => triggers.includes(trigger));
  }

  async enqueue(deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await this.#writer.write(() => insertDeliveries(this.#database, deliveries));
  }

  async take(limit: number, leaseMs: number): Promise<readonly Delivery[]> {
    assertLimit(limit);
    // Checks with a query first, because there are usually no deliveries.
    if (!isAnyDue(this.#database)) return [];
    return this.#writer.write(() => takeDeliveries(this.#database, limit, leaseMs));
  }

  async use(tenant?: string): Promise<WebhookUse> {
    const columns = ["webhooks", "deliveries"] as const;
    const [webhooks = 0, deliveries = 0] = useOf(this.#database, columns, tenant);
    return { webhooks, deliveries };
  }

  async settle(id: string, outcome: DeliveryOutcome): Promise<void> {
    await this.#writer.write(() => settleDelivery(this.#database, id, outcome));
  }

  #find(tenant: string, id: string): Row | undefined {
    return this.#database.get(
      `SELECT ${WEBHOOK_COLUMNS} FROM webhook WHERE id = ? AND tenant = ?`,
      id,
      tenant,
    );
  }

  /** Returns the row of a webhook of the tenant. Throws `not_found` if it does not exist. */
  #own(tenant: string, id: string): Row {
    const row = this.#find(tenant, id);
    if (row === undefined) throw serviceStoreProblems.noWebhook(id);
    return row;
  }
}
