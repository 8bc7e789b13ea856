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

/** Returns an event of an engine as webhooks receive it; null for events that webhooks do not receive. */
export async function toWebhookEvent(
  files: Files,
  event: EngineEvent,
): Promise<WebhookEvent | null> {
  const trigger = TRIGGERS[event.type];
  if (trigger === undefined || !("job" in event)) return null;
  const { job, batch } = event;
  return {
    tenant: batch.tenant,
    trigger,
    eventId: `${batch.id} ${event.sequence}`,
    at: event.at,
    createdBy: batch.caller ?? "unknown",
    targets: await targetsOf(files, batch),
    source: { ...wireJobFull(job, batch), failures: briefFailuresOf(job) },
    additionalInfo: {},
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
