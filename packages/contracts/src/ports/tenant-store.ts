/** The operator's settings for a tenant. */
export interface TenantRecord {
  /** The tenant's name, as used for the owner of batches and files. Unique. */
  readonly name: string;
  /** When it was suspended, in milliseconds since 1970; null when it is not suspended. */
  readonly suspendedAt: number | null;
  /** The operator who started erasing the tenant's data; null unless the erasure is in progress. */
  readonly erasing: string | null;
  /** Quotas by name. They override the service's defaults. */
  readonly quotas: Readonly<Record<string, number>>;
}

/** One action of an operator on a tenant. */
export interface AuditLine {
  /** Milliseconds since 1970, by the wall clock. */
  readonly at: number;
  /** The operator. */
  readonly by: string;
  /** The name of the action, for example `suspend`. */
  readonly action: string;
  /** The tenant that the action affected. */
  readonly tenant: string;
  /** Number of affected items, by kind. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * The operator's settings for tenants, and an audit log of the operator's actions. A tenant without settings has no
 * record, and the defaults apply. Every method rejects with a `QuireError`: `job_store_failed` when the medium fails or
 * the store is closed. Once its promise resolves, a change is durable and visible on every handle. The creator closes
 * the store. `conformance/tenant-store.ts` tests this contract.
 */
export interface TenantStore {
  /** Returns the record of a tenant; null if there is no record. Cheap enough to call for each request. */
  find(name: string): Promise<TenantRecord | null>;

  /** Returns all records, sorted by the code units of their names. */
  list(): Promise<readonly TenantRecord[]>;

  /** Applies the changes and writes the audit line; either both happen or neither. Returns the new record. */
  change(
    name: string,
    changes: Partial<Omit<TenantRecord, "name">>,
    line: Omit<AuditLine, "tenant"> | null,
  ): Promise<TenantRecord>;

  /** Returns the last `limit` lines, newest first. Rejects `invalid_request` if the limit is not a positive integer. */
  audit(limit: number): Promise<readonly AuditLine[]>;
}
