import { randomUUID } from "node:crypto";
import { QuireError, type WebhookRecord } from "@quire/core/host";
import { Problem, pageAnswer, pageQuery, pageRequest } from "@quire/http/parts";
import { z } from "zod";
import { webhook, webhookRequest, webhooks, webhookUpdate } from "../schemas/webhooks.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { ROOT_ID } from "../wire/files.ts";
import { operation, type ServiceCall } from "./service-operation.ts";

const TAG = "Webhooks";
const webhookId = { webhook_id: "The id of the webhook." };

export const createWebhook = operation({
  id: "post_webhooks",
  method: "POST",
  path: "/webhooks",
  tag: TAG,
  summary: "Create a webhook",
  description:
    "Quotas limit the number of webhooks per enterprise, and per file or folder. Exceeding them is a 403.",
  needs: "webhooks",
  body: webhookRequest,
  responses: { 201: { description: "The webhook.", schema: webhook } },
  errors: [404, 409, 413, 415],
  async run(call) {
    const { body, service, who } = call;
    const hooks = hooksOf(service);
    hooks.checkAddress(body.address);
    const record: WebhookRecord = {
      id: randomUUID().replaceAll("-", ""),
      tenant: who.enterprise,
      target: await resolved(call, body.target),
      address: body.address,
      triggers: [...new Set(body.triggers)],
      createdBy: who.user,
      createdAt: Date.now(),
    };
    await hooks.add(record);
    return { status: 201, body: wireWebhook(record) };
  },
});

export const listWebhooks = operation({
  id: "get_webhooks",
  method: "GET",
  path: "/webhooks",
  tag: TAG,
  summary: "List the webhooks",
  needs: "webhooks",
  query: z.object(pageQuery),
  responses: { 200: { description: "A page of webhooks, newest first.", schema: webhooks } },
  async run({ query, service, who }) {
    const scope = ["webhooks", who.enterprise];
    const page = pageRequest(query, ...scope);
    const { items, nextMarker } = await hooksOf(service).store.list(who.enterprise, page);
    const entries = items.map((record) => wireMini(record));
    return { status: 200, body: pageAnswer(page, entries, nextMarker, ...scope) };
  },
});

export const getWebhook = operation({
  id: "get_webhooks_id",
  method: "GET",
  path: "/webhooks/{webhook_id}",
  tag: TAG,
  summary: "Get a webhook",
  needs: "webhooks",
  params: webhookId,
  responses: { 200: { description: "The webhook.", schema: webhook } },
  errors: [404],
  async run({ params, service, who }) {
    const id = params.webhook_id ?? "";
    const found = await hooksOf(service).store.find(who.enterprise, id);
    if (found !== null) return { status: 200, body: wireWebhook(found) };
    throw new QuireError("not_found", `There is no webhook ${JSON.stringify(id)}. Check the id.`);
  },
});

export const updateWebhook = operation({
  id: "put_webhooks_id",
  method: "PUT",
  path: "/webhooks/{webhook_id}",
  tag: TAG,
  summary: "Change a webhook",
  needs: "webhooks",
  params: webhookId,
  body: webhookUpdate,
  responses: { 200: { description: "The webhook.", schema: webhook } },
  errors: [404, 413, 415],
  async run(call) {
    const { body, params, service, who } = call;
    const hooks = hooksOf(service);
    const { address, target, triggers } = body;
    if (address !== undefined) hooks.checkAddress(address);
    const updated = await hooks.update(who.enterprise, params.webhook_id ?? "", {
      ...(address === undefined ? {} : { address }),
      ...(triggers === undefined ? {} : { triggers: [...new Set(triggers)] }),
      ...(target === undefined ? {} : { target: await resolved(call, target) }),
    });
    return { status: 200, body: wireWebhook(updated) };
  },
});

export const deleteWebhook = operation({
  id: "delete_webhooks_id",
  method: "DELETE",
  path: "/webhooks/{webhook_id}",
  tag: TAG,
  summary: "Delete a webhook",
  description: "Pending deliveries to it are discarded.",
  needs: "webhooks",
  params: webhookId,
  responses: { 204: { description: "The webhook was deleted." } },
  errors: [404],
  async run({ params, service, who }) {
    await hooksOf(service).store.remove(who.enterprise, params.webhook_id ?? "");
    return { status: 204 };
  },
});

/** Returns a webhook in the format of the hosted service. */
function wireWebhook(record: WebhookRecord) {
  return {
    ...wireMini(record),
    address: record.address,
    triggers: record.triggers,
    created_by: { type: "user", id: record.createdBy },
    created_at: new Date(record.createdAt).toISOString(),
  };
}

function wireMini({ id, target }: WebhookRecord) {
  return { id, type: "webhook", target };
}

/** Returns the target with its catalog id instead of a path. The root folder keeps the id `0`. */
async function resolved(
  { service, who }: Pick<ServiceCall, "service" | "who">,
  target: WebhookRecord["target"],
): Promise<WebhookRecord["target"]> {
  const entry = await service.files.resolve(who.enterprise, target);
  const isRoot = entry.type === "folder" && entry.parentId === null;
  return { type: target.type, id: isRoot ? ROOT_ID : entry.id };
}

function hooksOf({ webhooks: hooks }: ServiceCall["service"]): Webhooks {
  if (hooks !== null) return hooks;
  throw new Problem(
    403,
    "forbidden",
    "This service sends no events. Its operator must set a key for signing webhooks.",
  );
}
