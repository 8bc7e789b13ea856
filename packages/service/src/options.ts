import type { Converter, TemplateStore, TenantStore } from "@quire/core/host";
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from "@quire/http/parts";
import type { Authenticate } from "./auth/authenticate.ts";
import type { Files } from "./files/files-types.ts";
import type { Telemetry } from "./observe/telemetry.ts";
import type { TenantQuotas } from "./quotas.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";

/** Limits of a service. Times are in milliseconds, lengths in bytes. */
export interface Limits extends HttpLimits {
  /** The size of an uploaded file. Default: 100 MiB. */
  readonly uploadBytes: number;
  /** The total size of all JSON bodies that are held at the same time. Default: 64 MiB. */
  readonly heldBodyBytes: number;
  /** The total size of all files and responses of more than 64 KiB that are being sent. Default: 128 MiB. */
  readonly heldBytes: number;
  /** Requests of one user per minute. Default: 1000. Infinity: no limit. */
  readonly requestsPerMinute: number;
  /** Requests that are processed at the same time. The others wait; tenants take turns. Default: 64. */
  readonly requests: number;
  /** Requests of one tenant among these, so that other tenants find places. Default: 8. */
  readonly requestsPerTenant: number;
  /**
   * Like `requestsPerTenant`, but while other tenants send requests as well, and only for requests that finish within
   * 20 ms: the work of one tenant delays the others. If more requests wait, each is followed by a pause as long as the
   * request. Default: 1.
   */
  readonly requestsWhenShared: number;
  /**
   * Checks of batches, and uploads with bytes to process, at the same time. They wait only for each other, and one
   * tenant never has more places than remain free. Default: 32.
   */
  readonly slowRequests: number;
  /**
   * Requests with a body of more than 512 KiB that are parsed or processed at the same time, one per tenant: parsed
   * bodies take many times as much memory as their text. Checks of batches have an additional limit of the same size.
   * The others wait; tenants take turns. Default: 2.
   */
  readonly longRequests: number;
  /** Uploads that one tenant may send at the same time, regardless of their speed. Further ones wait. Default: 64. */
  readonly uploadsPerTenant: number;
  /** The number of waiting requests of one tenant. Further ones get a 429. Default: 1000. */
  readonly waitingPerTenant: number;
  /** The number of waiting requests of all tenants. Further ones get a 503. Default: 10,000. */
  readonly waiting: number;
}

/** The default {@link Limits} of a service. */
export const DEFAULT_LIMITS: Limits = {
  ...DEFAULT_HTTP_LIMITS,
  uploadBytes: 100 * 1024 * 1024,
  heldBodyBytes: 64 * 1024 * 1024,
  heldBytes: 128 * 1024 * 1024,
  requestsPerMinute: 1000,
  requests: 64,
  requestsPerTenant: 8,
  requestsWhenShared: 1,
  slowRequests: 32,
  longRequests: 2,
  uploadsPerTenant: 64,
  waitingPerTenant: 1000,
  waiting: 10_000,
};

/** A logger like pino's. It receives ids, codes and times, never values of users' data. */
export interface Logger {
  /** Requests with a status below 500, and delivered events. */
  info(facts: object, message: string): void;
  /** Failures that are retried. */
  warn(facts: object, message: string): void;
  /** Failures of the service, with the error and its place in the code, and events that are lost. */
  error(facts: object, message: string): void;
}

/**
 * The OAuth 2.0 addresses at which clients get tokens, as complete URLs. Only documented; the service never calls them.
 */
export interface OAuthAddresses {
  /** The authorization endpoint (RFC 6749), which users open in a browser. */
  readonly authorizeUrl: string;
  /** The token endpoint, which also refreshes tokens. */
  readonly tokenUrl: string;
}

/** The options of {@link createServiceHandler} in addition to the engine. */
export interface ServiceHandlerOptions {
  /** The files of the engine, which must have been created with `storage: (tenant) => files.storageOf(tenant)`. */
  readonly files: Files;
  /** The files that are marked as templates. */
  readonly templates: TemplateStore;
  /** The tenants that the operator has suspended. Default: none. */
  readonly tenants?: TenantStore;
  /** Finds the owner of a token. Required: a token that it does not know is rejected. */
  readonly authenticate: Authenticate;
  /** Sends events. The engine must have been created with `onEvent: webhooks.onEvent`. Default: no webhooks. */
  readonly webhooks?: Webhooks;
  /** Limits that differ from {@link DEFAULT_LIMITS}. */
  readonly limits?: Partial<Limits>;
  /** The quotas of tenants. Pass the same quotas to the files and the webhooks. Default: no quotas. */
  readonly quotas?: TenantQuotas;
  /** The part of the path before `/2.0`, for example `/v1/docs`. Default: empty. */
  readonly prefix?: string;
  /**
   * The address of the service for clients, for URLs in responses, for example `https://docs.example.com`. Default: the
   * address of the request.
   */
  readonly publicUrl?: string;
  /** For the OpenAPI document. Default: the document says that they are not set. */
  readonly oauth?: OAuthAddresses;
  /** `/readyz` reports its seal. Default: no report. */
  readonly converter?: Pick<Converter, "seal">;
  /** Logs one line for each request. Default: no log. */
  readonly logger?: Logger;
  /** Measures and traces requests. Default: no telemetry. */
  readonly telemetry?: Telemetry;
}
