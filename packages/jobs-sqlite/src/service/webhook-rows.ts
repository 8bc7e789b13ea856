import type { WebhookRecord } from "@quire/contracts";
import type { Row } from "../database/database.ts";

/** Columns that {@link webhookRecord} reads, and the webhook's number. */
export const WEBHOOK_COLUMNS = `webhook.no, webhook.id, tenant, target_type, target_id, address, triggers,
  created_by, created_at`;

export function webhookRecord(row: Row): WebhookRecord {
  return {
    id: String(row.id),
    tenant: String(row.tenant),
    target: { type: row.target_type === "file" ? "file" : "folder", id: String(row.target_id) },
    address: String(row.address),
    triggers: JSON.parse(String(row.triggers)),
    createdBy: String(row.created_by),
    createdAt: Number(row.created_at),
  };
}
