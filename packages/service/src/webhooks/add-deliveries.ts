import { setImmediate as nextTurn } from "node:timers/promises";
import type { NewDelivery, WebhookRecord } from "@quire/core/host";
import { GIVE_UP_MS } from "./retries.ts";
import type { SenderSettings } from "./sender-options.ts";
import { deliveryOf, type WebhookEvent } from "./webhook-event.ts";

/** The number of deliveries that are added to the store in one transaction. */
const SLICE = 100;

/** What adding deliveries needs. Sending them needs more: keys, and access to the network. */
export type AddingSettings = Pick<SenderSettings, "store" | "quotas" | "logger" | "now">;

/** An event, and the webhooks that receive it. */
interface Addressed {
  readonly event: WebhookEvent;
  readonly webhooks: readonly WebhookRecord[];
}

/**
 * Adds the deliveries of events to the store, from which any sender takes them. Resolves when they are durable, with
 * false if no webhook receives any of the events. Rejects like the store; in that case, call it again.
 */
export async function addDeliveries(
  settings: AddingSettings,
  events: readonly WebhookEvent[],
): Promise<boolean> {
  const addressed = await admitted(settings, await wanted(settings, events));
  let slice: NewDelivery[] = [];
  for (const delivery of newDeliveries(addressed, settings.now())) {
    if (slice.length === SLICE) {
      await settings.store.enqueue(slice);
      // One transaction for all deliveries would block everything else.
      await nextTurn();
      slice = [];
    }
    slice.push(delivery);
  }
  if (slice.length > 0) await settings.store.enqueue(slice);
  return slice.length > 0;
}

/** Finds the webhooks that want each event. Asks the store once for events that only differ in their job. */
async function wanted(
  { store }: AddingSettings,
  events: readonly WebhookEvent[],
): Promise<Addressed[]> {
  const known = new Map<string, readonly WebhookRecord[]>();
  const addressed: Addressed[] = [];
  for (const event of events) {
    const { tenant, trigger, targets } = event;
    const key = JSON.stringify([tenant, trigger, targets]);
    const webhooks = known.get(key) ?? (await store.wanting(tenant, trigger, targets));
    known.set(key, webhooks);
    if (webhooks.length > 0) addressed.push({ event, webhooks });
  }
  return addressed;
}

/** Returns the webhooks that fit the tenants' quotas of deliveries. The others do not receive the event. */
async function admitted(
  { quotas, logger }: AddingSettings,
  addressed: readonly Addressed[],
): Promise<readonly Addressed[]> {
  if (quotas === null) return addressed;
  const rooms = new Map<string, number>();
  for (const [tenant, count] of deliveriesPerTenant(addressed)) {
    rooms.set(tenant, await quotas.roomForDeliveries(tenant, count));
  }
  return addressed.map(({ event, webhooks }) => {
    const room = rooms.get(event.tenant) ?? 0;
    rooms.set(event.tenant, Math.max(0, room - webhooks.length));
    for (const { id } of webhooks.slice(room)) {
      const fields = { webhook_id: id, reason: "quota_deliveries" };
      logger.error(fields, "An event is not sent to a webhook: too many deliveries are waiting.");
    }
    return { event, webhooks: webhooks.slice(0, room) };
  });
}

function deliveriesPerTenant(addressed: readonly Addressed[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { event, webhooks } of addressed) {
    counts.set(event.tenant, (counts.get(event.tenant) ?? 0) + webhooks.length);
  }
  return counts;
}

/** Returns the deliveries one by one, because all of them together may take much memory. */
function* newDeliveries(addressed: readonly Addressed[], now: number): Generator<NewDelivery> {
  for (const { event, webhooks } of addressed) {
    // If an event is reported late because the service was down, its retry period starts now.
    const giveUpAt = Math.max(event.at.getTime(), now) + GIVE_UP_MS;
    for (const webhook of webhooks) yield deliveryOf(event, webhook, giveUpAt);
  }
}
