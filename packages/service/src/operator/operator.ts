import type { AuditLine, Storage, TenantRecord } from "@quire/core/host";
import { checkedQuotas, type Quotas } from "../limits/quotas.ts";
import { eraseTenant } from "./erase-tenant.ts";
import type { OperatorStores } from "./operator-stores.ts";

/** Options of {@link createOperator}. */
export interface OperatorOptions {
  /** The stores of the service. The caller closes them. */
  readonly stores: OperatorStores;
  /** The operator's name, for the audit log. */
  readonly by: string;
  /** Returns the time in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/**
 * The operator's changes to tenants. They work whether or not services with the same stores are running. Each call
 * writes one line to the audit log and returns it. Calls may be repeated. Work that was already done is not counted
 * again.
 */
export interface Operator {
  /** Rejects the tenant's requests (403) and holds its jobs. Running jobs finish. */
  suspend(tenant: string): Promise<AuditLine>;
  /** Ends the suspension. */
  resume(tenant: string): Promise<AuditLine>;
  /** Cancels all batches of the tenant. Jobs that have not started fail; running jobs may still succeed or fail. */
  cancel(tenant: string): Promise<AuditLine>;
  /**
   * Suspends the tenant until `resume` and erases all its data: files with all versions, batches, webhooks, template
   * marks, tokens. Waits for running jobs. Rejects `unavailable`, retryable, if they do not finish, and
   * `invalid_request` if the tenant's files are in another storage. If a call was interrupted, repeat it to continue.
   */
  erase(tenant: string, storage: Storage): Promise<AuditLine>;
  /** Sets custom limits for quotas; null restores the default. Rejects `invalid_request` for an invalid limit. */
  setQuotas(
    tenant: string,
    quotas: Readonly<Partial<Record<keyof Quotas, number | null>>>,
  ): Promise<AuditLine>;
}

/** Creates an operator for the stores of a service. */
export function createOperator(options: OperatorOptions): Operator {
  return new StoreOperator(options);
}

const PAGE = 1000;

class StoreOperator implements Operator {
  readonly #stores: OperatorStores;
  readonly #by: string;
  readonly #now: () => number;

  constructor({ stores, by, now = Date.now }: OperatorOptions) {
    this.#stores = stores;
    this.#by = by;
    this.#now = now;
  }

  async suspend(tenant: string): Promise<AuditLine> {
    const known = await this.#stores.tenants.find(tenant);
    const { waiting } = await this.#stores.jobs.gauge.use(tenant);
    await this.#stores.jobs.holdTenant(tenant, true);
    const suspendedAt = known?.suspendedAt ?? this.#now();
    return this.#change(tenant, { suspendedAt }, "suspend", { jobs: waiting });
  }

  async resume(tenant: string): Promise<AuditLine> {
    const { waiting } = await this.#stores.jobs.gauge.use(tenant);
    const line = await this.#change(tenant, { suspendedAt: null }, "resume", { jobs: waiting });
    await this.#stores.jobs.holdTenant(tenant, false);
    return line;
  }

  async cancel(tenant: string): Promise<AuditLine> {
    const { jobs } = this.#stores;
    const counts = { batches: 0, jobs: 0 };
    for (let marker: string | null | undefined; marker !== null; ) {
      const page = await jobs.listBatches({
        tenant,
        limit: PAGE,
        ...(marker === undefined ? {} : { marker }),
      });
      for (const { id, status, cancelled, counts: before } of page.items) {
        if (status !== "running" || cancelled) continue;
        await jobs.cancelBatch(id);
        counts.batches += 1;
        counts.jobs += before.submitted;
      }
      marker = page.nextMarker;
    }
    return this.#change(tenant, {}, "cancel", counts);
  }

  async erase(tenant: string, storage: Storage): Promise<AuditLine> {
    const known = await this.#stores.tenants.find(tenant);
    const suspendedAt = known?.suspendedAt ?? this.#now();
    const erasing = known?.erasing ?? this.#by;
    await this.#stores.tenants.change(tenant, { suspendedAt, erasing }, null);
    const counts = await eraseTenant(this.#stores, storage, tenant);
    return this.#change(tenant, { erasing: null }, "erase", counts);
  }

  async setQuotas(
    tenant: string,
    quotas: Readonly<Partial<Record<keyof Quotas, number | null>>>,
  ): Promise<AuditLine> {
    const known = await this.#stores.tenants.find(tenant);
    const all = Object.entries({ ...known?.quotas, ...quotas });
    const numbers = all.filter((entry): entry is [string, number] => typeof entry[1] === "number");
    const own = checkedQuotas(Object.fromEntries(numbers));
    return this.#change(tenant, { quotas: own }, "quota", own);
  }

  async #change(
    tenant: string,
    changes: Partial<Omit<TenantRecord, "name">>,
    action: string,
    counts: AuditLine["counts"],
  ): Promise<AuditLine> {
    const line = { at: this.#now(), by: this.#by, action, counts };
    await this.#stores.tenants.change(tenant, changes, line);
    return { ...line, tenant };
  }
}
