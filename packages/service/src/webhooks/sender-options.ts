import { QuireError, type WebhookStore } from "@quire/core/host";
import type { TenantQuotas } from "../limits/quotas.ts";
import type { Resolve } from "./address.ts";
import { type AllowList, parseAllowList } from "./allow-list.ts";
import { ATTEMPT_MS } from "./deliver.ts";
import type { SigningKeys } from "./signature.ts";

/** Receives the result of each attempt: a pino logger or a compatible object. */
export interface SenderLogger {
  /** Logs delivered events. */
  info(fields: object, message: string): void;
  /** Logs failed attempts that are retried. */
  warn(fields: object, message: string): void;
  /** Logs lost events and failures of the store. */
  error(fields: object, message: string): void;
}

/** Timings of a sender. */
export interface SenderTimings {
  /**
   * The maximum duration of an attempt in milliseconds, from name resolution to the response. Default: 30,000. A lease
   * is four times as long.
   */
  readonly attemptMs?: number | undefined;
  /** The interval between polls for due deliveries, in milliseconds. Default: 1,000. */
  readonly pollMs?: number | undefined;
}

/** Options of `createWebhookSender`. */
export interface WebhookSenderOptions {
  /** Contains the webhooks and their deliveries. The caller closes it after the sender. */
  readonly store: WebhookStore;
  /** The keys that sign each delivery. */
  readonly keys: SigningKeys;
  /** Limits the webhooks of a tenant and its waiting deliveries. Default: no limits. */
  readonly quotas?: TenantQuotas | undefined;
  /** Returns whether deliveries of a tenant are on hold. Default: never. */
  readonly isHeld?: ((tenant: string) => Promise<boolean>) | undefined;
  /**
   * Hosts that webhooks may reach in addition to the public internet, and over http: names and addresses, both with an
   * optional port, and blocks of addresses, as in {@link parseAllowList}. Default: none.
   */
  readonly allow?: readonly string[] | undefined;
  /** The maximum number of concurrent attempts. Default: 8. */
  readonly concurrency?: number | undefined;
  /** Receives the results of attempts, but never a body, an address or a key. Default: no logger. */
  readonly logger?: SenderLogger | undefined;
  /** Returns the time in milliseconds since 1970. Default: the system's clock. */
  readonly now?: (() => number) | undefined;
  /** Default: as in {@link SenderTimings}. */
  readonly timings?: SenderTimings | undefined;
  /** Finds the IP addresses of a host name. All results are checked. Default: the system's resolver. */
  readonly resolve?: Resolve | undefined;
}

/** Options with all defaults applied. */
export interface SenderSettings {
  readonly store: WebhookStore;
  readonly keys: SigningKeys;
  readonly quotas: TenantQuotas | null;
  readonly isHeld: (tenant: string) => Promise<boolean>;
  readonly allowed: AllowList;
  readonly concurrency: number;
  readonly logger: SenderLogger;
  readonly now: () => number;
  readonly attemptMs: number;
  readonly pollMs: number;
  readonly resolve: Resolve | undefined;
}

/** Logs nothing. */
export const NO_LOGGER: SenderLogger = { info() {}, warn() {}, error() {} };

/** Applies the defaults. Throws `invalid_request` for invalid options. */
export function settingsOf(options: WebhookSenderOptions): SenderSettings {
  const { keys, concurrency = 8, timings = {} } = options;
  // Anybody could sign with an empty key.
  if (keys.primary === "" || keys.secondary === "") {
    throw new QuireError(
      "invalid_request",
      "Webhooks cannot be signed: a signature key is empty. Set a primary key, and set or omit the secondary key.",
    );
  }
  if (!Number.isSafeInteger(concurrency) || concurrency < 1) {
    throw new QuireError(
      "invalid_request",
      "The concurrency of webhooks must be an integer of at least 1. Set a valid number, or omit it to use 8.",
    );
  }
  return {
    store: options.store,
    keys,
    quotas: options.quotas ?? null,
    isHeld: options.isHeld ?? (async () => false),
    allowed: parseAllowList(options.allow ?? []),
    concurrency,
    logger: options.logger ?? NO_LOGGER,
    now: options.now ?? Date.now,
    attemptMs: timings.attemptMs ?? ATTEMPT_MS,
    pollMs: timings.pollMs ?? 1_000,
    resolve: options.resolve,
  };
}
