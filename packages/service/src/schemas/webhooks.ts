import { EXAMPLE, id, instant, page, userReference } from "@quire/http/parts";
import { z } from "zod";

/** The events that webhooks can report. */
export const TRIGGERS = [
  "DOCGEN_DOCUMENT_GENERATION_STARTED",
  "DOCGEN_DOCUMENT_GENERATION_SUCCEEDED",
  "DOCGEN_DOCUMENT_GENERATION_FAILED",
] as const;

const targetShape = {
  id: id.meta({ description: "The id; `0` is the root folder.", examples: ["0"] }),
  type: z
    .enum(["file", "folder"])
    .meta({ description: "The kind of target.", examples: ["folder"] }),
};
const ABOUT_TARGETS =
  "a template, which covers its jobs, or a folder, which covers jobs whose documents go into it or its subfolders. Folder `0` covers all jobs.";
const target = z
  .object(targetShape)
  .meta({ id: "WebhookTarget", description: `The target: ${ABOUT_TARGETS}` });
const targetInput = z
  .object(targetShape)
  .meta({ id: "WebhookTargetInput", description: `The target: ${ABOUT_TARGETS}` });

const trigger = z.enum(TRIGGERS).meta({
  id: "WebhookTrigger",
  description: "An event of a job.",
  examples: ["DOCGEN_DOCUMENT_GENERATION_SUCCEEDED"],
});
const triggers = z.array(trigger).min(1).describe("The events to send.");
const address = z
  .string()
  .max(2048)
  .meta({
    description:
      "The address that receives events. Must use https and must not be in a private network.",
    examples: ["https://example.com/hooks"],
  });
const newAddress = address.meta({ format: "uri" });

export const webhookRequest = z
  .object({ target: targetInput, address: newAddress, triggers })
  .meta({ id: "WebhookCreateRequest", description: "A webhook to create." });
export const webhookUpdate = z
  .object({
    target: targetInput.optional(),
    address: newAddress.optional(),
    triggers: triggers.optional(),
  })
  .meta({
    id: "WebhookUpdateRequest",
    description: "Changes to a webhook. Omitted fields remain unchanged.",
    examples: [{ triggers: ["DOCGEN_DOCUMENT_GENERATION_FAILED"] }],
  });

const shape = {
  id: id.meta({ description: "The id.", examples: [EXAMPLE.webhook] }),
  type: z.literal("webhook").describe("Always `webhook`."),
  target,
};
export const webhook = z
  .object({
    ...shape,
    address,
    triggers: triggers.meta({ uniqueItems: true, maxItems: TRIGGERS.length }),
    created_by: userReference.describe("Who created it."),
    created_at: instant.describe("When it was created."),
  })
  .meta({ id: "Webhook", description: "A webhook." });
export const webhooks = page(
  z.object(shape).meta({ id: "WebhookMini", description: "A webhook and its target." }),
  "Webhooks",
  "A page of webhooks.",
);
