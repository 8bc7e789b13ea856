import type { WebhookRecord } from "@quire/contracts";
import type { Row } from "../database/database.ts";
import { fromText } from "../database/text.ts";

/** Columns that {@link webhookRecord} reads, and the webhook's number. */
export const WEBHOOK_COLUMNS = `webhook.no, webhook.id, webhook.tenant, target_type, target_id, address, triggers,
  created_by, created_at`;

export function webhookRecord(row: Row): WebhookRecord {
  return {
    id: fromText(row.id),
    tenant: fromText(row.tenant),
    target: { type: row.target_type === "file" ? "file" : "folder", id: fromText(row.target_id) },
    address: fromText(row.address),
    triggers: JSON.parse(row.triggers),
    createdBy: fromText(row.created_by),
    createdAt: row.created_at,
  };
}
