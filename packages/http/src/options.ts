import type { Converter, TemplateStore, TenantStore } from "@quire/core/host";
import type { Authenticate } from "./auth/authenticate.ts";
import type { Files } from "./files/files-types.ts";
import type { Telemetry } from "./observe/telemetry.ts";
import type { TenantQuotas } from "./quotas.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";

/** What a service takes. Times in milliseconds, lengths in bytes. */
export interface Limits {
  /** Of a JSON body. Default 10 MiB. */
  readonly bodyBytes: number;
  /** Of an uploaded file. Default 100 MiB. */
  readonly uploadBytes: number;
  /**
   * Of all JSON bodies that are held at the same time, and of all files and answers of more than 64 KiB that are being
   * sent. Default 128 MiB.
   */
  readonly heldBytes: number;
  /** Documents of a batch. Default 10,000. */
  readonly entries: number;
  /** Of one entry of a batch, as JSON. Default 1 MiB. */
  readonly entryBytes: number;
  /** Of the data of an entry; the body around it comes on top. Default 64. */
  readonly depth: number;
  /** Of one string or key, as JSON. Default 1 MiB. */
  readonly stringBytes: number;
  /** Keys in a body. Default 500,000. */
  readonly keys: number;
  /** Values in a body. Default 1,000,000. */
  readonly values: number;
  /** Requests of one user in a minute. Default 1000; Infinity: as many as come. */
  readonly requestsPerMinute: number;
  /** Requests that are worked on at the same time; the others wait, tenants in turn. Default 64. */
  readonly requests: number;
  /** Of these, requests of one tenant, so that there is a place for whoever comes next. Default 8. */
  readonly requestsPerTenant: number;
  /**
   * The same while other tenants send requests as well, of those that are through within 20 ms: what one has in work
   * delays the others. Each is followed by a rest of its own length when more wait. Default 1.
   */
  readonly requestsWhenShared: number;
  /**
   * Checks of batches, and uploads with bytes to process, at the same time. They wait only for each other, and one
   * tenant never has more places than it leaves free. Default 32.
   */
  readonly slowRequests: number;
  /**
   * Requests with a body of more than 512 KiB that are parsed or worked on at the same time, one of each tenant: what is
   * parsed takes many times as much memory as its text. As many checks of batches on top. The others wait, tenants in
   * turn. Default 2.
   */
  readonly longRequests: number;
  /** Uploads that one tenant may send at the same time, however slowly; more wait. Default 64. */
  readonly uploadsPerTenant: number;
  /** Requests of one tenant that may wait; more get a 429. Default 1000. */
  readonly waitingPerTenant: number;
  /** Requests of all tenants that may wait; more get a 503. Default 10,000. */
  readonly waiting: number;
  /**
   * The most that one answer reports about documents: a page of jobs or tags ends before this limit, with a marker, and
   * a check of a batch only counts the problems beyond it. Default 2 MiB.
   */
  readonly answerBytes: number;
  /** Streams of progress that one tenant may have open. Default 100. */
  readonly streams: number;
  /** A client that sends nothing of its body for this long gets a 408. Default 30,000. */
  readonly idleMs: number;
}

/** The default {@link Limits} of a service. */
export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 10 * 1024 * 1024,
  uploadBytes: 100 * 1024 * 1024,
  heldBytes: 128 * 1024 * 1024,
  entries: 10_000,
  entryBytes: 1024 * 1024,
  depth: 64,
  stringBytes: 1024 * 1024,
  keys: 500_000,
  values: 1_000_000,
  requestsPerMinute: 1000,
  requests: 64,
  requestsPerTenant: 8,
  requestsWhenShared: 1,
  slowRequests: 32,
  longRequests: 2,
  uploadsPerTenant: 64,
  waitingPerTenant: 1000,
  waiting: 10_000,
  answerBytes: 2 * 1024 * 1024,
  streams: 100,
  idleMs: 30_000,
};

/** A logger as pino's. It is given ids, codes and times, never a value of anybody's data. */
export interface Logger {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** Where clients get tokens with OAuth 2.0: the service says so and asks nothing of them itself. Whole addresses. */
export interface OAuthAddresses {
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
}

/** What {@link createHttpHandler} needs beside the engine. */
export interface HttpHandlerOptions {
  /** The files that the engine works on: it was made with `storage: (tenant) => files.storageOf(tenant)`. */
  readonly files: Files;
  /** Which files are templates. */
  readonly templates: TemplateStore;
  /** The tenants that the operator has suspended. Default: none. */
  readonly tenants?: TenantStore;
  /** Who a token belongs to. There is no default: without a token that it knows nobody gets in. */
  readonly authenticate: Authenticate;
  /** Where events are sent; the engine was made with `onEvent: webhooks.onEvent`. Default: no webhooks. */
  readonly webhooks?: Webhooks;
  readonly limits?: Partial<Limits>;
  /** The quotas of tenants. Make the files and the webhooks with them, too. Default: no quotas. */
  readonly quotas?: TenantQuotas;
  /** What comes before `/2.0` in the path of requests, for example `/v1/docs`. Default: nothing. */
  readonly prefix?: string;
  /**
   * Where clients reach the service, for the addresses that it gives out, for example `https://docs.example.com`.
   * Default: as the request has it.
   */
  readonly publicUrl?: string;
  /** For the OpenAPI document. Default: the document says that they are not set. */
  readonly oauth?: OAuthAddresses;
  /** `/readyz` reports its seal. Default: no report. */
  readonly converter?: Pick<Converter, "seal">;
  /** One line for each request. Default: nothing is logged. */
  readonly logger?: Logger;
  /** Measures and follows requests. Default: nothing is measured. */
  readonly telemetry?: Telemetry;
}
