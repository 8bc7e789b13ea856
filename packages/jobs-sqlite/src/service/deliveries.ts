import type { Delivery, DeliveryOutcome, NewDelivery } from "@quire/contracts";
import type { Database } from "../database/database.ts";
import { WEBHOOK_COLUMNS, webhookRecord } from "./webhook-rows.ts";

/** Maximum number of deliveries that are deleted in one transaction. */
const SLICE = 200;

/** Stores deliveries, each id once. Call it within a transaction. */
export function insertDeliveries(database: Database, deliveries: readonly NewDelivery[]): void {
  const now = Date.now();
  database.run(
    `DELETE FROM delivery WHERE no IN
       (SELECT no FROM delivery WHERE body IS NULL AND give_up_at < ? LIMIT ${SLICE})`,
    now,
  );
  for (const { id, webhookId, body, giveUpAt } of deliveries) {
    database.run(
      `INSERT OR IGNORE INTO delivery (id, webhook_no, body, give_up_at, due_at)
       SELECT ?, no, ?, ?, ? FROM webhook WHERE id = ?`,
      id,
      body,
      giveUpAt,
      now,
      webhookId,
    );
  }
}

/** Whether any delivery is due. */
export function isAnyDue(database: Database): boolean {
  const due = database.get(
    "SELECT 1 FROM delivery WHERE body IS NOT NULL AND due_at <= ? LIMIT 1",
    Date.now(),
  );
  return due !== undefined;
}

/** Leases the deliveries that are due, longest waiting first. Call it within a transaction. */
export function takeDeliveries(database: Database, limit: number, leaseMs: number): Delivery[] {
  const now = Date.now();
  const rows = database.all(
    `SELECT delivery.no AS delivery_no, delivery.id AS delivery_id, body, give_up_at, attempts, ${WEBHOOK_COLUMNS}
     FROM delivery INDEXED BY delivery_due JOIN webhook ON webhook.no = webhook_no
     WHERE body IS NOT NULL AND due_at <= ? ORDER BY due_at, delivery.no LIMIT ?`,
    now,
    limit,
  );
  return rows.map((row) => {
    database.run(
      "UPDATE delivery SET due_at = ?, attempts = attempts + 1 WHERE no = ?",
      now + leaseMs,
      Number(row.delivery_no),
    );
    return {
      id: String(row.delivery_id),
      webhookId: String(row.id),
      body: String(row.body),
      giveUpAt: Number(row.give_up_at),
      webhook: webhookRecord(row),
      attempts: Number(row.attempts),
    };
  });
}

/**
 * Removes some deliveries of a tenant, and finally its webhooks. Returns true if there may be more. Call it within a
 * transaction.
 */
export function eraseSome(database: Database, tenant: string): boolean {
  const deliveries = database.run(
    `DELETE FROM delivery WHERE no IN (SELECT delivery.no FROM delivery JOIN webhook ON webhook.no = webhook_no
       WHERE tenant = ? LIMIT ${SLICE})`,
    tenant,
  );
  if (deliveries > 0) return true;
  database.run("DELETE FROM webhook WHERE tenant = ?", tenant);
  return false;
}

/**
 * Removes some deliveries of a webhook, and the webhook itself with the last ones. Returns true if there may be more.
 * Call it within a transaction.
 */
export function removeSome(database: Database, webhookNo: number): boolean {
  const deliveries = database.run(
    `DELETE FROM delivery WHERE no IN (SELECT no FROM delivery WHERE webhook_no = ? LIMIT ${SLICE})`,
    webhookNo,
  );
  if (deliveries === SLICE) return true;
  database.run("DELETE FROM webhook WHERE no = ?", webhookNo);
  return false;
}

/** Ends an attempt. A delivery that is already settled remains settled. Call it within a transaction. */
export function settleDelivery(database: Database, id: string, outcome: DeliveryOutcome): void {
  // Keep the id, so that the delivery is recognized if it is added again.
  if (outcome.type === "done") database.run("UPDATE delivery SET body = NULL WHERE id = ?", id);
  else {
    database.run(
      "UPDATE delivery SET due_at = ? WHERE id = ? AND body IS NOT NULL",
      outcome.at,
      id,
    );
  }
}
