import {
  type BatchPause,
  type Converter,
  createEngine,
  type Engine,
  type EngineOptions,
  QuireError,
  type Storage,
  type TenantStore,
} from "@quire/core/host";
import { createFiles } from "./files/create-files.ts";
import type { Files } from "./files/files-types.ts";
import {
  checkedQuotas,
  createQuotas,
  DEFAULT_QUOTAS,
  type Quotas,
  type TenantQuotas,
} from "./limits/quotas.ts";
import type { Logger } from "./observe/logger.ts";
import type { Telemetry } from "./observe/telemetry.ts";
import type { ServiceStores } from "./operator/service-stores.ts";

/** What a service and its workers are made of. */
export interface ServiceParts {
  /** Holds the files of all tenants, each in a separate folder. */
  readonly storage: Storage;
  /** The stores. They are closed with the service or the worker. */
  readonly stores: ServiceStores;
  /** Makes PDFs from Word templates. It is closed with the service or the worker. */
  readonly converter?: Converter;
  /** Additional options of the engine. */
  readonly engine?: Omit<
    EngineOptions,
    "storage" | "jobs" | "converter" | "onEvent" | "onEvents" | "keepEvents" | "observe"
  >;
  /** The quotas of each tenant. Default: {@link DEFAULT_QUOTAS}. */
  readonly quotas?: Partial<Quotas>;
  /** Logs pauses, and failures of the stores. Default: no log. */
  readonly logger?: Logger;
  /** Measures and traces. Default: no telemetry. */
  readonly telemetry?: Telemetry;
}

/** The files of all tenants, and their quotas. */
export interface ServiceFiles {
  readonly files: Files;
  readonly quotas: TenantQuotas;
}

/** Creates the files of all tenants, and their quotas. Throws `invalid_request` for invalid quotas. */
export function createServiceFiles(
  { storage, stores, telemetry, quotas: given }: ServiceParts,
  maxFileBytes?: number,
): ServiceFiles {
  const limits = checkedQuotas({ ...DEFAULT_QUOTAS, ...given });
  const quotas = createQuotas({
    stores,
    quotasOf: (tenant) => quotasOf(stores.tenants, tenant, limits),
    onRefused: (quota) => telemetry?.quotaRefused?.(quota),
  });
  const size = maxFileBytes === undefined ? {} : { maxFileBytes };
  return { files: createFiles({ storage, catalog: stores.files, ...size, quotas }), quotas };
}

/** Creates the engine over these files. It logs its pauses, and failures of the job store. */
export function createServiceEngine(
  parts: ServiceParts,
  files: Files,
  events: Pick<EngineOptions, "onEvents" | "keepEvents">,
): Engine {
  const { stores, converter, telemetry, logger } = parts;
  return createEngine({
    ...parts.engine,
    storage: (tenant) => files.storageOf(tenant),
    jobs: stores.jobs,
    ...(converter === undefined ? {} : { converter }),
    ...events,
    onPause(pause, state) {
      reportPause(parts, pause, state);
      parts.engine?.onPause?.(pause, state);
    },
    onStoreFailure(failure) {
      const message = "The job store failed. No jobs run until it works again.";
      if (failure === null) logger?.info({}, "The job store works again.");
      else logger?.error({ code: failure.code, reason: failure.message }, message);
      parts.engine?.onStoreFailure?.(failure);
    },
    ...(telemetry === undefined ? {} : { observe: telemetry.observe }),
  });
}

function reportPause(
  { telemetry, logger }: ServiceParts,
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
