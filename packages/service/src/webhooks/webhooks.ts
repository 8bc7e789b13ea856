import type { EngineEvent, WebhookStore } from "@quire/core/host";
import type { Files } from "../files/files-types.ts";
import { checkAddress } from "./address.ts";
import { parseAllowList } from "./allow-list.ts";
import { toWebhookEvents } from "./engine-event.ts";
import { createWebhookSender } from "./sender.ts";
import type { WebhookSenderOptions } from "./sender-options.ts";
import { type WebhookChanges, webhookChanges } from "./webhook-changes.ts";

/** Options of {@link createWebhooks}. */
export interface WebhooksOptions extends WebhookSenderOptions {
  /** Used to look up the folders above a document. */
  readonly files: Files;
}

/** Sends events of jobs to webhooks. */
export interface Webhooks extends WebhookChanges {
  /**
   * The store, for finding, listing and removing webhooks. Use `add` and `update` to add or change them, because these
   * check quotas.
   */
  readonly store: WebhookStore;
  /** Throws `invalid_request` for an address that can never receive events. */
  checkAddress(address: string): void;
  /**
   * Creates the deliveries of an engine's events. Resolves when they are durable. Pass it to the engine as its option
   * `onEvents`.
   */
  readonly onEvents: (events: readonly EngineEvent[]) => Promise<void>;
  /**
   * Starts no further attempts, and aborts attempts that are not complete after `graceMs` (default 5000). The next
   * sender with the same store sends the remaining deliveries. Never rejects, and does not close the store.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/**
 * Creates webhooks for an engine's events. Starts sending immediately, including deliveries that remain from an earlier
 * sender. A webhook receives events of jobs that use its template, or whose documents go into its folder or a folder
 * below it. Throws `invalid_request` for invalid options.
 */
export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { files, store } = options;
  const sender = createWebhookSender(options);
  const allowed = parseAllowList(options.allow ?? []);
  sender.start();
  return {
    store,
    ...webhookChanges(store, options.quotas ?? null),
    checkAddress: (address) => void checkAddress(address, allowed),
    onEvents: async (events) => sender.notify(await toWebhookEvents(files, events)),
    close: (closing) => sender.close(closing),
  };
}
