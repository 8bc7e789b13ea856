import { setTimeout as sleep } from "node:timers/promises";
import { type Delivery, type DeliveryOutcome, isQuireError } from "@quire/core/host";
import { addDeliveries } from "./add-deliveries.ts";
import { type DeliveryResult, deliver } from "./deliver.ts";
import { createDeliveryQueue, type DeliveryQueue } from "./delivery-queue.ts";
import { nextAttemptAt } from "./retries.ts";
import { type SenderSettings, settingsOf, type WebhookSenderOptions } from "./sender-options.ts";
import { signedHeaders } from "./signature.ts";
import type { WebhookEvent } from "./webhook-event.ts";

/** The totals of a sender since its creation, and the numbers of its current deliveries. */
export interface WebhookCounts {
  readonly delivered: number;
  /** Failed attempts, not failed deliveries. */
  readonly failed: number;
  /** Deliveries that will not be retried. */
  readonly givenUp: number;
  /** Attempts that are in progress. */
  readonly running: number;
  /** Deliveries that were taken from the store but have not started. */
  readonly waiting: number;
}

/**
 * Sends events of jobs to webhooks. Retries failed attempts, so a webhook may receive an event more than once. Several
 * senders, even in several processes, may share a store.
 */
export interface WebhookSender {
  /**
   * Creates the deliveries of events. Resolves when they are durable. Any sender with the same store may send them.
   * Rejects like the store; in that case, call `notify` again.
   */
  notify(events: readonly WebhookEvent[]): Promise<void>;
  /** Starts sending. Further calls, and calls after `close`, do nothing. */
  start(): void;
  counts(): WebhookCounts;
  /**
   * Starts no further attempts, and aborts attempts that are not complete after `graceMs` (default 5 s). The next
   * sender with the same store sends the remaining deliveries. Never rejects.
   */
  close(options?: { readonly graceMs?: number | undefined }): Promise<void>;
}

/** Creates the sender of a process. It sends nothing before `start`. Throws `invalid_request` for invalid options. */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  return new Sender(settingsOf(options));
}

/**
 * The length of a lease, as a multiple of the attempt timeout. A delivery may wait for half of it; the rest is for its
 * attempt.
 */
const LEASE = 4;
const MAX_WAIT = 2;
/** An attempt is slow if it takes more than this fraction of its timeout. */
const SLOW = 1 / 6;
const GROUP = 64;
const MAX_GROUP = 1_024;
const GRACE_MS = 5_000;
/** The interval between checks of whether a tenant's deliveries are still on hold, in milliseconds. */
const HELD_MS = 300_000;
/** The pause between two attempts to store an outcome while the store fails, in milliseconds. */
const SETTLE_PAUSE_MS = 500;

class Sender implements WebhookSender {
  readonly #settings: SenderSettings;
  readonly #queue: DeliveryQueue;
  readonly #attempts = new Set<Promise<void>>();
  readonly #abort = new AbortController();
  #sleeping = new AbortController();
  #loop: Promise<void> | null = null;
  #closed: Promise<void> | null = null;
  #group = GROUP;
  #nextTakeAt = 0;
  #storeFailed = false;
  readonly #total = { delivered: 0, failed: 0, givenUp: 0 };

  constructor(settings: SenderSettings) {
    this.#settings = settings;
    this.#queue = createDeliveryQueue(settings.concurrency);
  }

  async notify(events: readonly WebhookEvent[]): Promise<void> {
    const isNew = await addDeliveries(this.#settings, events);
    if (isNew) this.#sleeping.abort();
  }

  start(): void {
    if (this.#closed === null) this.#loop ??= this.#run();
  }

  counts(): WebhookCounts {
    const { running, waiting } = this.#queue;
    return { ...this.#total, running, waiting };
  }

  close({ graceMs = GRACE_MS } = {}): Promise<void> {
    this.#closed ??= this.#close(graceMs);
    return this.#closed;
  }

  async #close(graceMs: number): Promise<void> {
    this.#queue.clear();
    this.#sleeping.abort();
    const timer = setTimeout(() => this.#abort.abort(), graceMs);
    await this.#loop;
    await Promise.all(this.#attempts);
    clearTimeout(timer);
  }

  async #run(): Promise<void> {
    while (this.#closed === null) {
      const mayTake = this.#queue.hasFreePlace && performance.now() >= this.#nextTakeAt;
      const isMore = mayTake && (await this.#take());
      this.#startAttempts();
      if (!isMore && this.#closed === null) await this.#pause();
    }
  }

  /** Takes due deliveries from the store. Returns whether to look for more immediately. */
  async #take(): Promise<boolean> {
    const { store, attemptMs, pollMs } = this.#settings;
    const startBefore = performance.now() + MAX_WAIT * attemptMs;
    const limit = this.#group;
    let taken: readonly Delivery[];
    try {
      taken = await store.take(limit, LEASE * attemptMs);
      this.#storeFailed = false;
    } catch (error) {
      this.#logStoreFailure(error);
      return false;
    }
    if (this.#closed !== null) return false;
    const kept = taken.filter((delivery) => this.#queue.add(delivery, startBefore)).length;
    // If one webhook has many due deliveries, they may fill a whole group. The groups grow in order to reach the
    // deliveries behind them. Skipped deliveries return after their lease; the pauses limit their number.
    if (kept < taken.length) this.#nextTakeAt = performance.now() + pollMs;
    this.#group = taken.length > 0 && kept === 0 ? Math.min(2 * limit, MAX_GROUP) : GROUP;
    return taken.length === limit && kept === limit;
  }

  async #pause(): Promise<void> {
    const { signal } = this.#sleeping;
    await sleep(this.#settings.pollMs, undefined, { signal, ref: false }).catch(() => {});
    // If the sender is woken while it is not sleeping, its next sleep ends immediately.
    this.#sleeping = new AbortController();
  }

  #startAttempts(): void {
    if (this.#closed !== null) return;
    for (;;) {
      const delivery = this.#queue.next(performance.now());
      if (delivery === null) return;
      const attempt = this.#attempt(delivery).finally(() => this.#attempts.delete(attempt));
      this.#attempts.add(attempt);
    }
  }

  /** Attempts a delivery, and stores the outcome. Never rejects. */
  async #attempt(delivery: Delivery): Promise<void> {
    const { attemptMs, concurrency } = this.#settings;
    const leaseEnd = performance.now() + (LEASE - MAX_WAIT) * attemptMs;
    let tookMs = 0;
    let outcome: DeliveryOutcome | null = null;
    try {
      const found = await this.#lookUp(delivery);
      if (found.isHeld) outcome = { type: "again", at: this.#settings.now() + HELD_MS };
      else if (found.address !== null) {
        const startedAt = performance.now();
        const result = await this.#send(delivery, found.address);
        tookMs = performance.now() - startedAt;
        outcome = this.#outcomeOf(delivery, result);
      }
    } catch (error) {
      this.#logStoreFailure(error);
    }
    // The next attempt does not wait for the store.
    this.#queue.ended(delivery, tookMs > attemptMs * SLOW);
    this.#startAttempts();
    if (this.#queue.waiting < concurrency) this.#sleeping.abort();
    if (outcome !== null) await this.#settle(delivery, outcome, leaseEnd);
  }

  /**
   * Returns the current address, because the delivery may have waited for some time. The address is null if the webhook
   * and its deliveries no longer exist.
   */
  async #lookUp({ webhook: { tenant, id } }: Delivery) {
    const { store, isHeld } = this.#settings;
    const [held, found] = await Promise.all([isHeld(tenant), store.find(tenant, id)]);
    return { isHeld: held, address: found?.address ?? null };
  }

  async #send(delivery: Delivery, address: string): Promise<DeliveryResult> {
    const { keys, allowed, resolve, attemptMs, now } = this.#settings;
    const body = Buffer.from(delivery.body);
    const headers = signedHeaders(keys, delivery.id, body, now());
    const signal = this.#abort.signal;
    try {
      const options = { allowed, resolve, timeoutMs: attemptMs, signal };
      return await deliver({ address, headers, body }, options);
    } catch {
      return { ok: false, reason: "internal" };
    }
  }

  /** Returns the outcome to store; null for an aborted attempt. Logs and counts the outcome. */
  #outcomeOf(delivery: Delivery, result: DeliveryResult): DeliveryOutcome | null {
    const { logger, now } = this.#settings;
    if (!result.ok && result.reason === "aborted") return null;
    const attempt = delivery.attempts + 1;
    const fields = { webhook_id: delivery.webhookId, delivery_id: delivery.id, attempt };
    if (result.ok) {
      this.#total.delivered += 1;
      logger.info({ ...fields, status: result.status }, "A webhook was delivered.");
      return { type: "done" };
    }
    this.#total.failed += 1;
    const { reason, status } = result;
    const failure = { ...fields, reason, ...(status === undefined ? {} : { status }) };
    const at = nextAttemptAt(attempt, now(), delivery.giveUpAt);
    if (at !== null) {
      logger.warn(
        { ...failure, next_attempt_at: at },
        "A webhook was not delivered and will be retried.",
      );
      return { type: "again", at };
    }
    this.#total.givenUp += 1;
    logger.error(failure, "A webhook was not delivered and will not be retried.");
    return { type: "done" };
  }

  /** Retries until the outcome is stored. If the lease ends first, the delivery is sent again with the same id. */
  async #settle(delivery: Delivery, outcome: DeliveryOutcome, leaseEnd: number): Promise<void> {
    for (;;) {
      try {
        return await this.#settings.store.settle(delivery.id, outcome);
      } catch (error) {
        this.#logStoreFailure(error);
        if (this.#closed !== null || performance.now() + SETTLE_PAUSE_MS > leaseEnd) return;
        await sleep(SETTLE_PAUSE_MS);
      }
    }
  }

  /** Logs only once for a series of failures. */
  #logStoreFailure(error: unknown): void {
    if (this.#storeFailed) return;
    this.#storeFailed = true;
    const code = isQuireError(error) ? error.code : "internal";
    this.#settings.logger.error({ code }, "The webhook store failed and will be retried.");
  }
}
