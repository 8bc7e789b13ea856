import type { Delivery } from "@quire/core/host";

/** Deliveries that were taken from the store and are waiting or being sent. */
export interface DeliveryQueue {
  readonly waiting: number;
  readonly running: number;
  readonly hasFreePlace: boolean;
  /**
   * Queues a delivery until `startBefore`. Returns false if its webhook, or the sender as a whole, has too many waiting
   * deliveries. In that case, the delivery remains in the store, which returns it again after its lease.
   */
  add(delivery: Delivery, startBefore: number): boolean;
  /**
   * Returns the next delivery to send; null if none can be sent now. It occupies a place until {@link ended} is called.
   */
  next(now: number): Delivery | null;
  /** Releases the place of a delivery. `slow` is whether its receiver took long. */
  ended(delivery: Delivery, slow: boolean): void;
  /** Removes all waiting deliveries. */
  clear(): void;
}

interface Waiting {
  readonly delivery: Delivery;
  readonly startBefore: number;
}

const MAX_WAITING = 4_096;
const MAX_WAITING_OF_ONE = 512;
const PLACES_OF_ONE = 3;
const MAX_SLOW = 10_000;

/**
 * Shares a number of places, each for one attempt, among webhooks. They take turns, and each has at most three places.
 * Webhooks whose receiver was slow the last time have at most one place each, and half of all places together, so
 * receivers that do not respond never block the others.
 */
export function createDeliveryQueue(places: number): DeliveryQueue {
  const queues = new Map<string, Waiting[]>();
  const ids = new Set<string>();
  const running = new Map<string, number>();
  const slow = new Set<string>();
  let inUse = 0;

  const mayRun = (webhookId: string): boolean => {
    const own = running.get(webhookId) ?? 0;
    if (!slow.has(webhookId)) return own < PLACES_OF_ONE;
    let ofSlow = 0;
    for (const [id, count] of running) if (slow.has(id)) ofSlow += count;
    return own === 0 && ofSlow < Math.max(1, Math.floor(places / 2));
  };
  const dropLate = (queue: Waiting[], now: number): void => {
    while (queue[0] !== undefined && queue[0].startBefore < now) {
      ids.delete(queue.shift()?.delivery.id ?? "");
    }
  };

  return {
    get waiting() {
      return ids.size - inUse;
    },
    get running() {
      return inUse;
    },
    get hasFreePlace() {
      return inUse < places;
    },
    add(delivery, startBefore) {
      // The store returned the delivery again because its lease has expired, but it is still waiting or being sent.
      if (ids.has(delivery.id)) return true;
      const queue = queues.get(delivery.webhookId) ?? [];
      if (queue.length >= MAX_WAITING_OF_ONE || ids.size - inUse >= MAX_WAITING) return false;
      queue.push({ delivery, startBefore });
      queues.set(delivery.webhookId, queue);
      ids.add(delivery.id);
      return true;
    },
    next(now) {
      if (inUse >= places) return null;
      for (const [webhookId, queue] of queues) {
        dropLate(queue, now);
        if (queue.length > 0 && !mayRun(webhookId)) continue;
        queues.delete(webhookId);
        const first = queue.shift();
        if (first === undefined) continue;
        // The webhook moves to the end of the order.
        if (queue.length > 0) queues.set(webhookId, queue);
        running.set(webhookId, (running.get(webhookId) ?? 0) + 1);
        inUse += 1;
        return first.delivery;
      }
      return null;
    },
    ended({ id, webhookId }, isSlow) {
      const left = (running.get(webhookId) ?? 1) - 1;
      if (left === 0) running.delete(webhookId);
      else running.set(webhookId, left);
      inUse -= 1;
      ids.delete(id);
      if (slow.size >= MAX_SLOW) slow.clear(); // most of them are no longer active
      if (isSlow) slow.add(webhookId);
      else slow.delete(webhookId);
    },
    clear() {
      for (const queue of queues.values()) {
        for (const { delivery } of queue) ids.delete(delivery.id);
      }
      queues.clear();
    },
  };
}
