/** What the operator of a service has said of a tenant. */
export interface TenantRecord {
  readonly name: string;
  /** Since when nothing is done for it, in milliseconds since 1970; null when it is not suspended. */
  readonly suspendedAt: number | null;
  /** Who has begun to erase all that it has, as long as that is not done; null otherwise. */
  readonly erasing: string | null;
  /** Quotas of its own, by name: those of the service hold for all others. */
  readonly quotas: Readonly<Record<string, number>>;
}

/** Something that an operator has done to a tenant. */
export interface AuditLine {
  /** Milliseconds since 1970, by the wall clock. */
  readonly at: number;
  /** Who has done it. */
  readonly by: string;
  /** For example `suspend`. */
  readonly action: string;
  readonly tenant: string;
  /** How much it was done to, by what it is. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * What the operator of a service has said of tenants, and done to them. A tenant of which nothing was said is not there, and is as
 * any other. Every method rejects with a `QuireError`: `job_store_failed` when the medium fails or the store is closed. What is
 * written is durable when the promise resolves, and on every handle from then on. Who made it closes it.
 * `conformance/tenant-store.ts` is this contract as tests.
 */
export interface TenantStore {
  /** Null when nothing was said of it. Cheap enough to be asked for each request. */
  find(name: string): Promise<TenantRecord | null>;

  /** All of which something was said, by name in code units. */
  list(): Promise<readonly TenantRecord[]>;

  /** Changes what is given, and writes the line, both or neither; gives what holds now. */
  change(
    name: string,
    changes: Partial<Omit<TenantRecord, "name">>,
    line: Omit<AuditLine, "tenant"> | null,
  ): Promise<TenantRecord>;

  /** The last lines, up to `limit`, from the newest on. Rejects `invalid_request` for a limit that is none. */
  audit(limit: number): Promise<readonly AuditLine[]>;
}
