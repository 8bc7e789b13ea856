import { createHash } from "node:crypto";
import type { NewDelivery, WebhookRecord } from "@quire/core/host";
import { timestampOf } from "./signature.ts";

/** The events of a job that webhooks can receive. */
export const WEBHOOK_TRIGGERS = [
  "DOCGEN_DOCUMENT_GENERATION_STARTED",
  "DOCGEN_DOCUMENT_GENERATION_SUCCEEDED",
  "DOCGEN_DOCUMENT_GENERATION_FAILED",
] as const;

/** One of {@link WEBHOOK_TRIGGERS}. */
export type WebhookTrigger = (typeof WEBHOOK_TRIGGERS)[number];

/** An event of a job, for webhooks. */
export interface WebhookEvent {
  readonly tenant: string;
  readonly trigger: WebhookTrigger;
  /** Identifies the event. Remains the same if the event is reported again, so that it is sent only once. */
  readonly eventId: string;
  readonly at: Date;
  /** The id of the user who created the job. */
  readonly createdBy: string;
  /** The targets of the event. A webhook on any one of them receives it. */
  readonly targets: readonly WebhookRecord["target"][];
  /** The value of `source` in the JSON body. */
  readonly source: Readonly<Record<string, unknown>>;
  /** The value of `additional_info` in the JSON body. */
  readonly additionalInfo: Readonly<Record<string, unknown>>;
}

/** Returns the delivery of an event to a webhook. */
export function deliveryOf(
  event: WebhookEvent,
  webhook: WebhookRecord,
  giveUpAt: number,
): NewDelivery {
  const id = deliveryId(event.eventId, webhook.id);
  return { id, webhookId: webhook.id, body: bodyOf(id, event, webhook.id), giveUpAt };
}

/** Returns a UUID (version 8, RFC 9562) that is derived from the event and the webhook. */
function deliveryId(eventId: string, webhookId: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([eventId, webhookId]))
    .digest();
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x80, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = hash.toString("hex");
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([a, b]) => hex.slice(a, b))
    .join("-");
}

function bodyOf(id: string, event: WebhookEvent, webhookId: string): string {
  return JSON.stringify({
    type: "webhook_event",
    id,
    created_at: timestampOf(event.at.getTime()),
    trigger: event.trigger,
    webhook: { id: webhookId, type: "webhook" },
    created_by: { type: "user", id: event.createdBy },
    source: event.source,
    additional_info: event.additionalInfo,
  });
}
