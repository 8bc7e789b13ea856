import { type Batch, type CatalogEntry, type EngineEvent, isQuireError } from "@quire/core/host";
import { wireJobFull } from "@quire/http/parts";
import type { Files } from "../files/files-types.ts";
import { ROOT_ID } from "../wire/files.ts";
import { briefFailuresOf } from "./brief-failures.ts";
import type { WebhookEvent, WebhookTrigger } from "./webhook-event.ts";

const TRIGGERS: Readonly<Partial<Record<EngineEvent["type"], WebhookTrigger>>> = {
  job_started: "DOCGEN_DOCUMENT_GENERATION_STARTED",
  job_succeeded: "DOCGEN_DOCUMENT_GENERATION_SUCCEEDED",
  job_failed: "DOCGEN_DOCUMENT_GENERATION_FAILED",
};
type Target = WebhookEvent["targets"][number];

/** Returns events of an engine as webhooks receive them, without those that webhooks do not receive. */
export async function toWebhookEvents(
  files: Files,
  events: readonly EngineEvent[],
): Promise<WebhookEvent[]> {
  // Most events of a group are about the same folder.
  const folders = new Map<string, Target[]>();
  const found: WebhookEvent[] = [];
  for (const event of events) {
    const trigger = TRIGGERS[event.type];
    if (trigger === undefined || !("job" in event)) continue;
    const { job, batch } = event;
    const key = JSON.stringify([batch.tenant, batch.folder.id]);
    const known = folders.get(key) ?? (await foldersOf(files, batch));
    folders.set(key, known);
    found.push({
      tenant: batch.tenant,
      trigger,
      eventId: `${batch.id} ${event.sequence}`,
      at: event.at,
      createdBy: batch.caller ?? "unknown",
      targets: [{ type: "file", id: batch.template.id }, ...known],
      source: { ...wireJobFull(job, batch), failures: briefFailuresOf(job) },
      additionalInfo: {},
    });
  }
  return found;
}

/** Returns the folder of the documents, and all folders above it. */
async function foldersOf(files: Files, { tenant, folder }: Batch): Promise<Target[]> {
  const targets: Target[] = [{ type: "folder", id: ROOT_ID }];
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
