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
import { Batcher } from "../database/batcher.ts";
import type { Database } from "../database/database.ts";
import { fromText, toText } from "../database/text.ts";
import { ServiceUse } from "./service-use.ts";
import { WEBHOOK_COLUMNS, webhookRecord } from "./webhook-rows.ts";

/** Maximum number of deliveries that one statement removes, and of webhooks that one statement reads. */
const SLICE = 1000;

/** Creates a webhook store in a database. The creator of the database closes it. */
export function postgresWebhookStore(database: Database): WebhookStore {
  return new PostgresWebhookStore(database);
}

/** A delivery whose attempt has ended. */
interface Settled {
  readonly id: string;
  readonly outcome: DeliveryOutcome;
}

class PostgresWebhookStore implements WebhookStore {
  readonly #database: Database;
  readonly #outcomes: Batcher<Settled, undefined>;
  readonly #use: ServiceUse<"webhooks" | "deliveries">;

  constructor(database: Database) {
    this.#database = database;
    this.#use = new ServiceUse(database, ["webhooks", "deliveries"]);
    this.#outcomes = new Batcher(
      (outcomes) => settleAll(database, outcomes),
      ({ id }) => id,
    );
  }

  async add(webhook: WebhookRecord): Promise<void> {
    const { id, tenant, target, address, createdBy, createdAt } = webhook;
    const triggers = JSON.stringify(webhook.triggers);
    const added = await this.#database.all(
      `WITH added AS (
         INSERT INTO quire.webhook (id, tenant, target_type, target_id, address, created_by, triggers, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING tenant
       )
       INSERT INTO quire.service_use AS known (tenant, slot, webhooks)
       SELECT tenant, quire.slot(), 1 FROM added
       ON CONFLICT (tenant, slot) DO UPDATE SET webhooks = known.webhooks + 1 RETURNING tenant`,
      [
        ...[id, tenant, target.type, target.id, address, createdBy].map((text) => toText(text)),
        triggers,
        createdAt,
      ],
    );
    if (added.length === 0) throw serviceStoreProblems.webhookKnown(id);
  }

  async find(tenant: string, id: string): Promise<WebhookRecord | null> {
    const row = await this.#database.get(
      `SELECT ${WEBHOOK_COLUMNS} FROM quire.webhook WHERE id = $1 AND tenant = $2`,
      [toText(id), toText(tenant)],
    );
    return row === undefined ? null : webhookRecord(row);
  }

  async list(tenant: string, { limit, marker }: WebhookQuery): Promise<RecordPage<WebhookRecord>> {
    assertLimit(limit);
    const listing = `webhooks ${tenant}`;
    const [before = Number.MAX_SAFE_INTEGER] = parseMarker(listing, marker, ["number"]);
    const rows = await this.#database.all(
      `SELECT ${WEBHOOK_COLUMNS} FROM quire.webhook WHERE tenant = $1 AND no < $2
       ORDER BY no DESC LIMIT $3`,
      [toText(tenant), before, limit + 1],
    );
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      items: page.map(webhookRecord),
      nextMarker: last ? toMarker(listing, [last.no]) : null,
    };
  }

  async update(
    tenant: string,
    id: string,
    changes: Partial<Pick<WebhookRecord, "target" | "address" | "triggers">>,
  ): Promise<WebhookRecord> {
    const { target, address, triggers } = changes;
    const [row] = await this.#database.all(
      `UPDATE quire.webhook SET target_type = coalesce($3, target_type), target_id = coalesce($4, target_id),
         address = coalesce($5, address), triggers = coalesce($6, triggers)
       WHERE id = $1 AND tenant = $2 RETURNING ${WEBHOOK_COLUMNS}`,
      [
        ...[id, tenant, target?.type ?? null, target?.id ?? null, address ?? null].map(toText),
        triggers === undefined ? null : JSON.stringify(triggers),
      ],
    );
    if (row === undefined) throw serviceStoreProblems.noWebhook(id);
    return webhookRecord(row);
  }

  async remove(tenant: string, id: string): Promise<void> {
    const isGone = await this.#removeSome(tenant, id);
    if (isGone === null) throw serviceStoreProblems.noWebhook(id);
    if (!isGone) while ((await this.#removeSome(tenant, id)) === false);
  }

  async eraseTenant(tenant: string): Promise<number> {
    for (let count = 0; ; ) {
      const rows = await this.#database.all(
        `SELECT id FROM quire.webhook WHERE tenant = $1 ORDER BY no LIMIT ${SLICE}`,
        [toText(tenant)],
      );
      if (rows.length === 0) return count;
      for (const { id } of rows) {
        let isGone: boolean | null = false;
        while (isGone === false) isGone = await this.#removeSome(tenant, fromText(id));
        if (isGone) count += 1;
      }
    }
  }

  /**
   * Removes deliveries of a webhook, and finally the webhook. Returns whether it is gone; null if the webhook does not
   * exist.
   */
  async #removeSome(tenant: string, id: string): Promise<boolean | null> {
    const row = await this.#database.get(
      `SELECT quire.webhook_remove($1, $2, ${SLICE}) AS is_gone`,
      [toText(tenant), toText(id)],
    );
    return row?.is_gone ?? null;
  }

  async wanting(
    tenant: string,
    trigger: string,
    targets: readonly WebhookRecord["target"][],
  ): Promise<readonly WebhookRecord[]> {
    if (targets.length === 0) return [];
    const rows = await this.#database.all(
      `SELECT ${WEBHOOK_COLUMNS} FROM
         (SELECT DISTINCT type, id FROM unnest($2::text[], $3::text[]) AS target (type, id)) AS target
         JOIN quire.webhook ON tenant = $1 AND target_type = target.type AND target_id = target.id
       ORDER BY webhook.no`,
      [toText(tenant), targets.map(({ type }) => type), targets.map(({ id }) => toText(id))],
    );
    return rows.map(webhookRecord).filter(({ triggers }) => triggers.includes(trigger));
  }

  async enqueue(deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await this.#database.all("SELECT quire.delivery_enqueue($1, $2, $3, $4)", [
      deliveries.map(({ id }) => toText(id)),
      deliveries.map(({ webhookId }) => toText(webhookId)),
      deliveries.map(({ body }) => toText(body)),
      deliveries.map(({ giveUpAt }) => giveUpAt),
    ]);
  }

  async take(limit: number, leaseMs: number): Promise<readonly Delivery[]> {
    assertLimit(limit);
    const rows = await this.#database.all(
      `WITH due AS (
         SELECT no, due_at FROM quire.delivery
         WHERE body IS NOT NULL AND due_at <= (SELECT quire.clock())
         ORDER BY due_at, no LIMIT $1 FOR UPDATE SKIP LOCKED
       ), taken AS (
         UPDATE quire.delivery SET due_at = quire.clock() + $2, attempts = attempts + 1
         FROM due WHERE delivery.no = due.no
         RETURNING delivery.no, delivery.id, webhook_no, body, give_up_at, attempts - 1 AS attempts,
           due.due_at AS was_due_at
       )
       SELECT taken.id AS delivery_id, body, give_up_at, attempts, ${WEBHOOK_COLUMNS}
       FROM taken JOIN quire.webhook ON webhook.no = webhook_no ORDER BY was_due_at, taken.no`,
      [limit, leaseMs],
    );
    return rows.map((row) => ({
      id: fromText(row.delivery_id),
      webhookId: fromText(row.id),
      body: fromText(row.body),
      giveUpAt: row.give_up_at,
      webhook: webhookRecord(row),
      attempts: row.attempts,
    }));
  }

  settle(id: string, outcome: DeliveryOutcome): Promise<void> {
    return this.#outcomes.add({ id, outcome });
  }

  use(tenant?: string): Promise<WebhookUse> {
    return this.#use.of(tenant);
  }
}

/** Settles deliveries in one statement. The id of a delivery is kept, so that it is recognized if it is added again. */
async function settleAll(database: Database, settled: readonly Settled[]): Promise<undefined[]> {
  await database.all(
    `WITH outcome AS (
       SELECT no, webhook_no, again_at FROM unnest($1::text[], $2::bigint[]) AS given (id, again_at)
       JOIN quire.delivery USING (id) WHERE body IS NOT NULL ORDER BY no FOR UPDATE OF delivery
     ), changed AS (
       UPDATE quire.delivery SET due_at = coalesce(again_at, due_at),
         body = CASE WHEN again_at IS NOT NULL THEN body END
       FROM outcome WHERE delivery.no = outcome.no
     )
     INSERT INTO quire.service_use AS known (tenant, slot, deliveries)
     SELECT tenant, quire.slot(), -count(*) FROM outcome JOIN quire.webhook ON webhook.no = webhook_no
     WHERE again_at IS NULL GROUP BY tenant ORDER BY tenant
     ON CONFLICT (tenant, slot) DO UPDATE SET deliveries = known.deliveries + EXCLUDED.deliveries`,
    [
      settled.map(({ id }) => toText(id)),
      settled.map(({ outcome }) => (outcome.type === "again" ? outcome.at : null)),
    ],
  );
  return settled.map(() => undefined);
}
