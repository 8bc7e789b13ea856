import { QuireError, type WebhookStore } from "@quire/core/host";
import type { TenantQuotas } from "../quotas.ts";
import type { Resolve } from "./address.ts";
import { type AllowList, parseAllowList } from "./allow-list.ts";
import { ATTEMPT_MS } from "./deliver.ts";
import type { SigningKeys } from "./signature.ts";

/** Where a sender tells what came of each attempt: a pino logger, or what looks like one. */
export interface SenderLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** How long things take. */
export interface SenderTimings {
  /** One attempt, from the name to the answer. Default 30 s. A delivery is leased for four times as long. */
  readonly attemptMs?: number | undefined;
  /** Between two looks for what is due. Default 1 s. */
  readonly pollMs?: number | undefined;
}

/** Options of `createWebhookSender`. */
export interface WebhookSenderOptions {
  /** It stays the caller's to close, after the sender. */
  readonly store: WebhookStore;
  readonly keys: SigningKeys;
  /** Limits the webhooks of a tenant and its waiting deliveries. Default: no limits. */
  readonly quotas?: TenantQuotas | undefined;
  /** Whose deliveries wait for now. Default: nobody's. */
  readonly isHeld?: ((tenant: string) => Promise<boolean>) | undefined;
  /**
   * What may be reached beside the public internet, and over http: names, addresses, either with a port, and blocks
   * of addresses, as in {@link parseAllowList}. Default none.
   */
  readonly allow?: readonly string[] | undefined;
  /** Attempts at the same time. Default 8. */
  readonly concurrency?: number | undefined;
  /** Default none. It never gets to see a body, an address or a key. */
  readonly logger?: SenderLogger | undefined;
  /** Milliseconds since 1970. Default the system's clock. */
  readonly now?: (() => number) | undefined;
  readonly timings?: SenderTimings | undefined;
  /** Finds the addresses of a name; they are checked whoever found them. Default the system's resolver. */
  readonly resolve?: Resolve | undefined;
}

/** Options with nothing left open. */
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

const NO_LOGGER: SenderLogger = { info() {}, warn() {}, error() {} };

/** Fills in defaults. Throws `invalid_request` for options that cannot be used. */
export function settingsOf(options: WebhookSenderOptions): SenderSettings {
  const { keys, concurrency = 8, timings = {} } = options;
  // What signs with an empty key, anybody can sign.
  if (keys.primary === "" || keys.secondary === "") {
    throw new QuireError(
      "invalid_request",
      "Webhooks cannot be signed: a signature key is empty. Give a primary key, and a secondary one or none.",
    );
  }
  if (!Number.isSafeInteger(concurrency) || concurrency < 1) {
    throw new QuireError(
      "invalid_request",
      "The concurrency of webhooks cannot be used: it must be a whole number from 1 on. Leave it out for 8.",
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
