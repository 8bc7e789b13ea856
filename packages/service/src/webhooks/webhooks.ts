import {
  type Batch,
  type CatalogEntry,
  type EngineEvent,
  isQuireError,
  type WebhookStore,
} from "@quire/core/host";
import { wireJobFull } from "@quire/http/parts";
import type { Files } from "../files/files-types.ts";
import { ROOT_ID } from "../wire/files.ts";
import { checkAddress } from "./address.ts";
import { parseAllowList } from "./allow-list.ts";
import { briefFailuresOf } from "./brief-failures.ts";
import { createWebhookSender } from "./sender.ts";
import type { WebhookSenderOptions } from "./sender-options.ts";
import { type WebhookChanges, webhookChanges } from "./webhook-changes.ts";
import type { WebhookEvent, WebhookTrigger } from "./webhook-event.ts";

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
   * Creates the deliveries of an engine's event. Resolves when they are durable. Pass it to the engine as its option
   * `onEvent`.
   */
  readonly onEvent: (event: EngineEvent) => Promise<void>;
  /**
   * Starts no further attempts, and aborts attempts that are not complete after `graceMs` (default 5000). The next
   * sender with the same store sends the remaining deliveries. Never rejects, and does not close the store.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

const TRIGGERS: Readonly<Partial<Record<EngineEvent["type"], WebhookTrigger>>> = {
  job_started: "DOCGEN_DOCUMENT_GENERATION_STARTED",
  job_succeeded: "DOCGEN_DOCUMENT_GENERATION_SUCCEEDED",
  job_failed: "DOCGEN_DOCUMENT_GENERATION_FAILED",
};
type Target = WebhookEvent["targets"][number];

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
    async onEvent(event) {
      const trigger = TRIGGERS[event.type];
      if (trigger === undefined || !("job" in event)) return;
      const { job, batch } = event;
      await sender.notify({
        tenant: batch.tenant,
        trigger,
        eventId: `${batch.id} ${event.sequence}`,
        at: event.at,
        createdBy: batch.caller ?? "unknown",
        targets: await targetsOf(files, batch),
        source: { ...wireJobFull(job, batch), failures: briefFailuresOf(job) },
        additionalInfo: {},
      });
    },
    close: (closing) => sender.close(closing),
  };
}

/** Returns the template, the folder of the documents, and all folders above it. */
async function targetsOf(files: Files, { tenant, template, folder }: Batch): Promise<Target[]> {
  const targets: Target[] = [
    { type: "file", id: template.id },
    { type: "folder", id: ROOT_ID },
  ];
  for (let id: string | null = folder.id; id !== null; ) {
    const entry: CatalogEntry | null = await files
      .resolve(tenant, { type: "folder", id })
      .catch((error: unknown) => {
        // The folder was deleted concurrently, so the folders above it do not matter.
        if (isQuireError(error) && error.code === "not_found") return null;
        throw error;
      });
    targets.push({ type: "folder", id });
    id = entry?.parentId ?? null;
  }
  return targets;
}
