import {
  type BatchPause,
  type Converter,
  checkOptions,
  createEngine,
  type Engine,
  type EngineOptions,
  namesOf,
  type OptionNames,
  QuireError,
  type Storage,
  type TenantStore,
} from "@quire/core/host";
import { createFiles } from "./files/create-files.ts";
import type { Files } from "./files/files-types.ts";
import { DEFAULT_LIMITS } from "./limits/limits.ts";
import { checkedQuotas, createQuotas, DEFAULT_QUOTAS, type Quotas } from "./limits/quotas.ts";
import type { ServiceStores } from "./operator/service-stores.ts";
import type { ServiceHandlerOptions } from "./options.ts";
import { createServiceHandler, type ServiceHandler } from "./service-handler.ts";
import type { WebhookSenderOptions } from "./webhooks/sender-options.ts";
import { createWebhooks, type Webhooks } from "./webhooks/webhooks.ts";

/** Options of {@link createService}. */
export interface ServiceOptions
  extends Omit<
    ServiceHandlerOptions,
    "files" | "templates" | "webhooks" | "quotas" | "tenants" | "converter"
  > {
  /** Holds the files of all tenants, each in a separate folder. */
  readonly storage: Storage;
  /** The stores. The service closes them. */
  readonly stores: ServiceStores;
  /** Makes PDFs from Word templates. The service closes it. Default: none; PDF forms can still be filled. */
  readonly converter?: Converter;
  /** Additional options of the engine. */
  readonly engine?: Omit<
    EngineOptions,
    "storage" | "jobs" | "converter" | "onEvent" | "keepEvents" | "observe"
  >;
  /** The quotas of each tenant. Default: {@link DEFAULT_QUOTAS}. */
  readonly quotas?: Partial<Quotas>;
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
  const { storage, stores, converter, telemetry, logger } = options;
  const { uploadBytes } = { ...DEFAULT_LIMITS, ...options.limits };
  const limits = checkedQuotas({ ...DEFAULT_QUOTAS, ...options.quotas });
  const quotas = createQuotas({
    stores,
    quotasOf: (tenant) => quotasOf(stores.tenants, tenant, limits),
    onRefused: (quota) => telemetry?.quotaRefused?.(quota),
  });
  const files = createFiles({ storage, catalog: stores.files, maxFileBytes: uploadBytes, quotas });
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
  const engine = createEngine({
    ...options.engine,
    storage: (tenant) => files.storageOf(tenant),
    jobs: stores.jobs,
    ...(converter === undefined ? {} : { converter }),
    ...eventOptions(webhooks, options),
    onPause(pause, state) {
      reportPause(options, pause, state);
      options.engine?.onPause?.(pause, state);
    },
    onStoreFailure(failure) {
      const message = "The job store failed. No jobs run until it works again.";
      if (failure === null) logger?.info({}, "The job store works again.");
      else logger?.error({ code: failure.code, reason: failure.message }, message);
      options.engine?.onStoreFailure?.(failure);
    },
    ...(telemetry === undefined ? {} : { observe: telemetry.observe }),
  });
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
): Pick<EngineOptions, "onEvent" | "keepEvents"> {
  if (webhooks === null) return {};
  return engine?.work === false ? { keepEvents: true } : { onEvent: webhooks.onEvent };
}

/** Throws `invalid_request` for an unknown option. The engine checks its own options. */
function checkServiceOptions(options: ServiceOptions): void {
  checkOptions("createService()", options, NAMES);
  checkOptions("The option limits of createService()", options.limits, namesOf(DEFAULT_LIMITS));
  checkOptions("The option quotas of createService()", options.quotas, namesOf(DEFAULT_QUOTAS));
}

function reportPause(
  { telemetry, logger }: ServiceOptions,
  { batchId, failure, since }: BatchPause,
  state: "paused" | "resumed",
): void {
  telemetry?.batchPaused?.(failure.code, state);
  const facts = { batch_id: batchId, code: failure.code, since };
  if (state === "resumed") logger?.info(facts, "A paused batch continues or has ended.");
  else {
    logger?.warn(facts, "A batch is paused, because the storage or the converter does not work.");
  }
}

/**
 * Returns the current quotas of a tenant. Rejects `forbidden` while the tenant is being erased, so that nothing is
 * added.
 */
async function quotasOf(
  tenants: TenantStore | undefined,
  name: string,
  limits: Quotas,
): Promise<Quotas> {
  const tenant = (await tenants?.find(name)) ?? null;
  if (tenant === null) return limits;
  if (tenant.erasing === null) return { ...limits, ...tenant.quotas };
  throw new QuireError(
    "forbidden",
    "The operator of the service is erasing all data of the enterprise. Nothing can be added now.",
  );
}
