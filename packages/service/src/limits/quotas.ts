import {
  type FileCatalog,
  type JobStore,
  nearest,
  QuireError,
  type WebhookRecord,
  type WebhookStore,
} from "@quire/core/host";

/** The quotas of a tenant: the maximum number of each kind. */
export interface Quotas {
  /** Total size in bytes of all versions of files and of the data of batches. Default: 1 TiB. */
  readonly disk: number;
  /** Versions of files, plus folders. Default: 10,000,000. */
  readonly files: number;
  /** Waiting and running jobs. Default: 500,000. */
  readonly waiting: number;
  /** All stored jobs, including completed and failed ones. Default: 10,000,000. */
  readonly jobs: number;
  /** Webhooks. Default: 100. */
  readonly webhooks: number;
  /** Webhooks on one file or folder. Each event is stored and sent once per webhook. Default: 10. */
  readonly targetWebhooks: number;
  /** Events that wait to be sent, counted once per webhook. Default: 20,000. */
  readonly deliveries: number;
}

/** One of the {@link Quotas}. */
export type QuotaName = keyof Quotas;

/** The {@link Quotas} of a tenant without custom quotas. */
export const DEFAULT_QUOTAS: Quotas = {
  disk: 1024 ** 4,
  files: 10_000_000,
  waiting: 500_000,
  jobs: 10_000_000,
  webhooks: 100,
  targetWebhooks: 10,
  deliveries: 20_000,
};

/** The names of all quotas, in the order in which they are reported. */
export const QUOTA_NAMES = Object.keys(DEFAULT_QUOTAS) as readonly QuotaName[];

/**
 * Checks quotas and returns them unchanged. Throws `invalid_request` for an unknown name, and for a limit that is
 * neither a non-negative integer nor `Infinity`.
 */
export function checkedQuotas<Some extends Partial<Quotas>>(quotas: Some): Some {
  for (const [name, limit] of Object.entries(quotas)) {
    const isLimit =
      limit === Number.POSITIVE_INFINITY || (Number.isSafeInteger(limit) && limit >= 0);
    if (Object.hasOwn(DEFAULT_QUOTAS, name) && isLimit) continue;
    const near = Object.hasOwn(DEFAULT_QUOTAS, name) ? null : nearest(name, QUOTA_NAMES);
    const meant = near === null ? "" : ` Did you mean ${near}?`;
    throw new QuireError(
      "invalid_request",
      `The quota ${JSON.stringify(name)} is not valid.${meant} Use non-negative integers, or Infinity, for ${QUOTA_NAMES.join(", ")}.`,
    );
  }
  return quotas;
}

/** The stores that count usage. */
export interface QuotaStores {
  /** Counts jobs and the bytes of their data. */
  readonly jobs: Pick<JobStore, "gauge">;
  /** Counts versions, folders and bytes. */
  readonly files: Pick<FileCatalog, "use">;
  /** Counts webhooks and waiting deliveries. */
  readonly webhooks: Pick<WebhookStore, "use" | "list">;
}

/** Options of {@link createQuotas}. */
export interface TenantQuotasOptions {
  /** The stores that count the usage. They are read for each check. The caller closes them. */
  readonly stores: QuotaStores;
  /** Returns the quotas of a tenant. They may change at any time. */
  readonly quotasOf: (tenant: string) => Promise<Quotas>;
  /** Called for each rejection. */
  readonly onRefused?: (quota: QuotaName) => void;
}

/**
 * Enforces the quotas of tenants. Usage comes from the stores, so it survives restarts and is the same for all
 * processes. Concurrent requests may together exceed a quota by the amount that they add.
 */
export interface TenantQuotas {
  /** Rejects `quota_exceeded` if another file of this size, or another folder, does not fit. */
  admitFile(tenant: string, bytes: number): Promise<void>;
  /** Resolves with the `quota_exceeded` error for a batch with this number of jobs; undefined if the batch fits. */
  batchRefusal(tenant: string, entries: number): Promise<QuireError | undefined>;
  /** Rejects `quota_exceeded` if the tenant may not have this number of additional waiting jobs. */
  admitWaiting(tenant: string, entries: number): Promise<void>;
  /**
   * Rejects `quota_exceeded` if this target may not get another webhook. `id` is the id of the webhook; null for a new
   * webhook.
   */
  admitWebhook(tenant: string, target: WebhookRecord["target"], id: string | null): Promise<void>;
  /** Resolves with the number of additional deliveries that may wait. A number below `wanted` counts as a rejection. */
  roomForDeliveries(tenant: string, wanted: number): Promise<number>;
}

/** Creates quotas for the stores of a service. Pass them to its files, its webhooks and its handler. */
export function createQuotas(options: TenantQuotasOptions): TenantQuotas {
  return new CountedQuotas(options);
}

class CountedQuotas implements TenantQuotas {
  readonly #options: TenantQuotasOptions;

  constructor(options: TenantQuotasOptions) {
    this.#options = options;
  }

  async admitFile(tenant: string, bytes: number): Promise<void> {
    const { stores } = this.#options;
    const limits = await this.#options.quotasOf(tenant);
    const used = await stores.files.use(tenant);
    if (used.files >= limits.files) throw this.#refusal("files", limits.files);
    const { bytes: ofJobs } = await stores.jobs.gauge.use(tenant);
    if (used.bytes + ofJobs + Math.max(bytes, 1) > limits.disk) {
      throw this.#refusal("disk", limits.disk);
    }
  }

  async batchRefusal(tenant: string, entries: number): Promise<QuireError | undefined> {
    const { stores } = this.#options;
    const limits = await this.#options.quotasOf(tenant);
    const { waiting, jobs, bytes } = await stores.jobs.gauge.use(tenant);
    // A batch that is larger than the whole quota can never succeed.
    const passes = entries <= limits.waiting;
    if (waiting + entries > limits.waiting) return this.#refusal("waiting", limits.waiting, passes);
    if (jobs + entries > limits.jobs) return this.#refusal("jobs", limits.jobs);
    const ofFiles = await stores.files.use(tenant);
    if (ofFiles.bytes + bytes >= limits.disk) return this.#refusal("disk", limits.disk);
    const { deliveries } = await stores.webhooks.use(tenant);
    if (deliveries >= limits.deliveries)
      return this.#refusal("deliveries", limits.deliveries, true);
    return undefined;
  }

  async admitWaiting(tenant: string, entries: number): Promise<void> {
    const limits = await this.#options.quotasOf(tenant);
    const { waiting } = await this.#options.stores.jobs.gauge.use(tenant);
    if (waiting + entries <= limits.waiting) return;
    throw this.#refusal("waiting", limits.waiting, entries <= limits.waiting);
  }

  async admitWebhook(
    tenant: string,
    target: WebhookRecord["target"],
    id: string | null,
  ): Promise<void> {
    const limits = await this.#options.quotasOf(tenant);
    const { webhooks } = await this.#options.stores.webhooks.use(tenant);
    if (id === null && webhooks >= limits.webhooks) {
      throw this.#refusal("webhooks", limits.webhooks);
    }
    if ((await this.#webhooksOn(tenant, target, id)) >= limits.targetWebhooks) {
      throw this.#refusal("targetWebhooks", limits.targetWebhooks);
    }
  }

  async roomForDeliveries(tenant: string, wanted: number): Promise<number> {
    const limits = await this.#options.quotasOf(tenant);
    const { deliveries } = await this.#options.stores.webhooks.use(tenant);
    const room = Math.max(0, limits.deliveries - deliveries);
    if (room < wanted) this.#options.onRefused?.("deliveries");
    return room;
  }

  async #webhooksOn(
    tenant: string,
    { type, id }: WebhookRecord["target"],
    except: string | null,
  ): Promise<number> {
    let count = 0;
    for (let marker: string | null | undefined; marker !== null; ) {
      const page = await this.#options.stores.webhooks.list(tenant, {
        limit: PAGE,
        ...(marker === undefined ? {} : { marker }),
      });
      for (const { id: known, target } of page.items) {
        if (known !== except && target.type === type && target.id === id) count += 1;
      }
      marker = page.nextMarker;
    }
    return count;
  }

  #refusal(quota: QuotaName, limit: number, passes = false): QuireError {
    this.#options.onRefused?.(quota);
    return quotaExceeded(quota, limit, passes);
  }
}

const PAGE = 1000;

/** Returns the highest usage of any tenant, by quota. Omits `targetWebhooks`, which is not counted. */
export async function mostUsed({ jobs, files, webhooks }: QuotaStores): Promise<Partial<Quotas>> {
  const ofJobs = await jobs.gauge.use();
  const ofFiles = await files.use();
  const ofWebhooks = await webhooks.use();
  return {
    disk: ofFiles.bytes + ofJobs.bytes,
    files: ofFiles.files,
    waiting: ofJobs.waiting,
    jobs: ofJobs.jobs,
    ...ofWebhooks,
  };
}

/** A description of the limit of each quota, and the remedy if the quota is used up. */
const WORDS: Readonly<Record<QuotaName, readonly [(limit: string) => string, string]>> = {
  disk: [
    (limit) => `files and the data of batches may take up to ${limit} bytes`,
    "Remove files that are not needed. The data of a batch is deleted some time after the batch ends.",
  ],
  files: [
    (limit) => `there may be up to ${limit} versions of files and folders`,
    "Remove files that are not needed.",
  ],
  waiting: [
    (limit) => `up to ${limit} jobs may be waiting or running`,
    "Send the request again when some have finished, or send fewer jobs at once.",
  ],
  jobs: [
    (limit) => `up to ${limit} jobs may be kept, including jobs of finished batches`,
    "Jobs are deleted some time after their batch finishes.",
  ],
  webhooks: [(limit) => `there may be up to ${limit} webhooks`, "Delete an unneeded webhook."],
  targetWebhooks: [
    (limit) => `there may be up to ${limit} webhooks on one file or folder`,
    "Delete an unneeded webhook, or let one receiver forward the events.",
  ],
  deliveries: [
    (limit) => `up to ${limit} events may wait to be sent to webhooks`,
    "Make sure that the receivers respond, or delete webhooks whose receivers do not.",
  ],
};

/** Returns the error for a quota that is used up. `passes` is whether usage drops without any action by the tenant. */
export function quotaExceeded(quota: QuotaName, limit: number, passes: boolean): QuireError {
  const [what, remedy] = WORDS[quota];
  const words = what(limit.toLocaleString("en-US"));
  const message = `The quota ${JSON.stringify(quota)} of the enterprise is used up: ${words}. ${remedy} The operator of the service can raise it.`;
  return new QuireError("quota_exceeded", message, {
    retryable: passes,
    diagnostics: [{ severity: "error", code: `quota_${quota}`, message }],
  });
}
