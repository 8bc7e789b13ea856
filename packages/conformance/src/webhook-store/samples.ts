import type { NewDelivery, WebhookRecord } from "@quire/contracts";

/** The tenant of the cases. */
export const TENANT = "Bücher & Söhne";

/** Returns a webhook for the triggers `A` and `B` of a folder. */
export function newWebhook(id: string, parts: Partial<WebhookRecord> = {}): WebhookRecord {
  return {
    id,
    tenant: TENANT,
    target: { type: "folder", id: "out" },
    address: "https://hooks.example/in?key=1",
    triggers: ["A", "B"],
    createdBy: "user-1",
    createdAt: Date.now(),
    ...parts,
  };
}

/** Returns a delivery that is given up after an hour. */
export function newDelivery(
  id: string,
  webhookId: string,
  parts: Partial<NewDelivery> = {},
): NewDelivery {
  return { id, webhookId, body: `{"id":"${id}"}`, giveUpAt: Date.now() + 3_600_000, ...parts };
}
