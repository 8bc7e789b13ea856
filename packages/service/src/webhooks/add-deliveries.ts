import { setImmediate as nextTurn } from "node:timers/promises";
import type { WebhookRecord } from "@quire/core/host";
import { GIVE_UP_MS } from "./retries.ts";
import type { SenderSettings } from "./sender-options.ts";
import { deliveriesOf, type WebhookEvent } from "./webhook-event.ts";

/** The number of deliveries that are added to the store in one transaction. */
const SLICE = 100;

/** What adding deliveries needs. Sending them needs more: keys, and access to the network. */
export type AddingSettings = Pick<SenderSettings, "store" | "quotas" | "logger" | "now">;

/**
 * Adds the deliveries of an event to the store, from which any sender takes them. Resolves when they are durable, with
 * false if no webhook receives the event. Rejects like the store; in that case, call it again.
 */
export async function addDeliveries(
  settings: AddingSettings,
  event: WebhookEvent,
): Promise<boolean> {
  const { store, now } = settings;
  const wanting = await store.wanting(event.tenant, event.trigger, event.targets);
  const webhooks = await admitted(settings, event, wanting);
  if (webhooks.length === 0) return false;
  // If an event is reported late because the service was down, its retry period starts now.
  const giveUpAt = Math.max(event.at.getTime(), now()) + GIVE_UP_MS;
  for (let begin = 0; begin < webhooks.length; begin += SLICE) {
    // One transaction for all deliveries would block everything else.
    if (begin > 0) await nextTurn();
    const slice = webhooks.slice(begin, begin + SLICE);
    await store.enqueue(deliveriesOf(event, slice, giveUpAt));
  }
  return true;
}

/** Returns the webhooks that fit the tenant's quota of deliveries. The others do not receive this event. */
async function admitted(
  { quotas, logger }: AddingSettings,
  { tenant }: WebhookEvent,
  wanting: readonly WebhookRecord[],
): Promise<readonly WebhookRecord[]> {
  if (quotas === null || wanting.length === 0) return wanting;
  const room = await quotas.roomForDeliveries(tenant, wanting.length);
  for (const { id } of wanting.slice(room)) {
    const fields = { webhook_id: id, reason: "quota_deliveries" };
    logger.error(fields, "An event is not sent to a webhook: too many deliveries are waiting.");
  }
  return wanting.slice(0, room);
}
