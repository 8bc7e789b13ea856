import {
  checkOptions,
  type Engine,
  type EngineOptions,
  namesOf,
  type OptionNames,
} from "@quire/core/host";
import type { Files } from "./files/files-types.ts";
import { DEFAULT_LIMITS } from "./limits/limits.ts";
import { DEFAULT_QUOTAS } from "./limits/quotas.ts";
import type { ServiceHandlerOptions } from "./options.ts";
import { createServiceEngine, createServiceFiles, type ServiceParts } from "./service-engine.ts";
import { createServiceHandler, type ServiceHandler } from "./service-handler.ts";
import type { WebhookSenderOptions } from "./webhooks/sender-options.ts";
import { createWebhooks, type Webhooks } from "./webhooks/webhooks.ts";

/** Options of {@link createService}. */
export interface ServiceOptions
  extends ServiceParts,
    Omit<
      ServiceHandlerOptions,
      "files" | "templates" | "webhooks" | "quotas" | "tenants" | "converter"
    > {
  /** The keys that sign webhooks, and the allowed hosts. Default: no webhooks. */
  readonly webhooks?: Pick<WebhookSenderOptions, "keys" | "allow">;
}

/** A service: an engine, its files, and the handler of HTTP requests. */
export interface HttpService {
  /** The engine, for calls within the process. It does not check tokens, scopes or batch quotas. */
  readonly engine: Engine;
  /** The files of all tenants, for calls within the process. Quotas apply. */
  readonly files: Files;
  /** Handles requests. Pass it to `startServer`, or to any server that supports the Fetch API. */
  readonly handler: ServiceHandler;
  /**
   * Rejects new requests, waits up to `graceMs` (default 30,000) for the current work, and closes everything. With a
   * durable job store, the next service with the same store finishes the rest.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

const NAMES: OptionNames<ServiceOptions> = {
  storage: true,
  stores: true,
  converter: true,
  engine: true,
  quotas: true,
  webhooks: true,
  authenticate: true,
  limits: true,
  prefix: true,
  publicUrl: true,
  oauth: true,
  logger: true,
  telemetry: true,
};
const GRACE_MS = 30_000;
/** The part of `graceMs` that is reserved for events that are being sent. The next service sends the others. */
const WEBHOOKS_GRACE_MS = 5_000;

/** Creates a service. It also finishes the work that earlier services with the same stores have accepted. */
export async function createService(options: ServiceOptions): Promise<HttpService> {
  checkServiceOptions(options);
  const { stores, logger } = options;
  const { uploadBytes } = { ...DEFAULT_LIMITS, ...options.limits };
  const { files, quotas } = createServiceFiles(options, uploadBytes);
  await files.sweep();
  const webhooks =
    options.webhooks === undefined
      ? null
      : createWebhooks({
          ...options.webhooks,
          files,
          quotas,
          isHeld: async (tenant) => (await stores.tenants?.find(tenant))?.suspendedAt != null,
          store: stores.webhooks,
          ...(logger === undefined ? {} : { logger }),
        });
  const engine = createServiceEngine(options, files, eventOptions(webhooks, options));
  const { webhooks: _, quotas: __, ...shared } = options;
  const handler = createServiceHandler(engine, {
    ...shared,
    files,
    quotas,
    templates: stores.templates,
    ...(stores.tenants === undefined ? {} : { tenants: stores.tenants }),
    ...(webhooks === null ? {} : { webhooks }),
  });
  let closing: Promise<void> | null = null;
  const close = async (graceMs: number): Promise<void> => {
    const end = performance.now() + graceMs;
    handler.drain();
    // The webhooks must be closed first, because the engine closes its job store, and with it the database of all
    // stores.
    await webhooks?.close({ graceMs: Math.min(graceMs, WEBHOOKS_GRACE_MS) });
    await engine.close({ graceMs: Math.max(0, end - performance.now()) });
    await stores.close();
  };
  return {
    engine,
    files,
    handler,
    close({ graceMs = GRACE_MS } = {}) {
      closing ??= close(graceMs);
      return closing;
    },
  };
}

/** An engine that does not work leaves the events of its batches to the engines that work. */
function eventOptions(
  webhooks: Webhooks | null,
  { engine }: ServiceOptions,
): Pick<EngineOptions, "onEvents" | "keepEvents"> {
  if (webhooks === null) return {};
  return engine?.work === false ? { keepEvents: true } : { onEvents: webhooks.onEvents };
}

/** Throws `invalid_request` for an unknown option. The engine checks its own options. */
function checkServiceOptions(options: ServiceOptions): void {
  checkOptions("createService()", options, NAMES);
  checkOptions("The option limits of createService()", options.limits, namesOf(DEFAULT_LIMITS));
  checkOptions("The option quotas of createService()", options.quotas, namesOf(DEFAULT_QUOTAS));
}
