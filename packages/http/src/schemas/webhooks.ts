import { z } from "zod";
import { id, instant, page, userReference } from "./common.ts";
import { EXAMPLE } from "./example-values.ts";

/** What webhooks are told of. */
export const TRIGGERS = [
  "DOCGEN_DOCUMENT_GENERATION_STARTED",
  "DOCGEN_DOCUMENT_GENERATION_SUCCEEDED",
  "DOCGEN_DOCUMENT_GENERATION_FAILED",
] as const;

const targetShape = {
  id: id.meta({ description: "Its id; `0` is the root folder.", examples: ["0"] }),
  type: z
    .enum(["file", "folder"])
    .meta({ description: "What kind of thing it is.", examples: ["folder"] }),
};
const ABOUT_TARGETS =
  "a template, or a folder with all that is in it into which documents go; folder `0` for all.";
const target = z
  .object(targetShape)
  .meta({ id: "WebhookTarget", description: `What it is about: ${ABOUT_TARGETS}` });
const targetInput = z
  .object(targetShape)
  .meta({ id: "WebhookTargetInput", description: `What it is to be about: ${ABOUT_TARGETS}` });

const trigger = z.enum(TRIGGERS).meta({
  id: "WebhookTrigger",
  description: "What happened to a job.",
  examples: ["DOCGEN_DOCUMENT_GENERATION_SUCCEEDED"],
});
const triggers = z.array(trigger).min(1).describe("What is told.");
const address = z
  .string()
  .max(2048)
  .meta({
    description: "Where it is told. https, and no address of a private network.",
    examples: ["https://example.com/hooks"],
  });
const newAddress = address.meta({ format: "uri" });

export const webhookRequest = z
  .object({ target: targetInput, address: newAddress, triggers })
  .meta({ id: "WebhookCreateRequest", description: "A webhook to set up." });
export const webhookUpdate = z
  .object({
    target: targetInput.optional(),
    address: newAddress.optional(),
    triggers: triggers.optional(),
  })
  .meta({
    id: "WebhookUpdateRequest",
    description: "What is to be changed of a webhook. What is left out stays.",
    examples: [{ triggers: ["DOCGEN_DOCUMENT_GENERATION_FAILED"] }],
  });

const shape = {
  id: id.meta({ description: "Its id.", examples: [EXAMPLE.webhook] }),
  type: z.literal("webhook").describe("Always `webhook`."),
  target,
};
export const webhook = z
  .object({
    ...shape,
    address,
    triggers: triggers.meta({ uniqueItems: true, maxItems: TRIGGERS.length }),
    created_by: userReference.describe("Who set it up."),
    created_at: instant.describe("When it was set up."),
  })
  .meta({ id: "Webhook", description: "A webhook." });
export const webhooks = page(
  z.object(shape).meta({ id: "WebhookMini", description: "A webhook and what it is about." }),
  "Webhooks",
  "A page of webhooks.",
);
