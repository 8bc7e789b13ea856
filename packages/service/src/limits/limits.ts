import { DEFAULT_HTTP_LIMITS, type HttpLimits } from "@quire/http/parts";

/** Limits of a service. Times are in milliseconds, lengths in bytes. */
export interface Limits extends HttpLimits {
  /** The maximum size of an uploaded file. Default: 100 MiB. */
  readonly uploadBytes: number;
  /** The maximum total size of all JSON bodies in memory. Default: 64 MiB. */
  readonly heldBodyBytes: number;
  /** The maximum total size of files, and of responses longer than 64 KiB, that are being sent. Default: 128 MiB. */
  readonly heldBytes: number;
  /** The maximum number of requests of one user per minute. Default: 1000. `Infinity` means no limit. */
  readonly requestsPerMinute: number;
  /**
   * The maximum number of requests that are processed at the same time. The others wait, and tenants take turns.
   * Default: 64.
   */
  readonly requests: number;
  /** The share of `requests` that one tenant may use, so that other tenants are not blocked. Default: 8. */
  readonly requestsPerTenant: number;
  /**
   * Like `requestsPerTenant`, but applies only while other tenants also send requests, and only to requests that finish
   * within 20 ms, because the work of one tenant delays the others. If more requests of the tenant are waiting, each
   * request is followed by a pause of the same duration. Default: 1.
   */
  readonly requestsWhenShared: number;
  /**
   * The maximum number of batch checks, and of uploads with bytes to process, that run at the same time. They wait only
   * for each other. A tenant may start another only while it has fewer of them running than there are free places.
   * Default: 32.
   */
  readonly slowRequests: number;
  /**
   * The maximum number of requests with a body of more than 512 KiB that are parsed or processed at the same time, at
   * most one per tenant. A parsed body takes many times as much memory as its text. Batch checks have a separate limit
   * of the same size. Further requests wait, and tenants take turns. Default: 2.
   */
  readonly longRequests: number;
  /**
   * The maximum number of concurrent uploads of one tenant, regardless of their speed. Further uploads wait. Default:
   * 64.
   */
  readonly uploadsPerTenant: number;
  /** The maximum number of waiting requests of one tenant. Further requests get a 429. Default: 1000. */
  readonly waitingPerTenant: number;
  /** The maximum number of waiting requests of all tenants. Further requests get a 503. Default: 10,000. */
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
