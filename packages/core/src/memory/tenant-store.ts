import { type AuditLine, assertLimit, type TenantRecord, type TenantStore } from "@quire/contracts";

/**
 * Creates a tenant store in memory: the reference implementation of the port, for tests and trials. It does not have to
 * be closed.
 */
export function memoryTenantStore(): TenantStore {
  return new MemoryTenantStore();
}

class MemoryTenantStore implements TenantStore {
  readonly #tenants = new Map<string, TenantRecord>();
  readonly #lines: AuditLine[] = [];

  async find(name: string): Promise<TenantRecord | null> {
    return this.#tenants.get(name) ?? null;
  }

  async list(): Promise<readonly TenantRecord[]> {
    return [...this.#tenants.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async change(
    name: string,
    changes: Partial<Omit<TenantRecord, "name">>,
    line: Omit<AuditLine, "tenant"> | null,
  ): Promise<TenantRecord> {
    const before = this.#tenants.get(name) ?? { suspendedAt: null, erasing: null, quotas: {} };
    const { suspendedAt, erasing, quotas } = { ...before, ...changes };
    const record = { name, suspendedAt, erasing, quotas: { ...quotas } };
    this.#tenants.set(name, record);
    if (line !== null) {
      const { at, by, action, counts } = line;
      this.#lines.unshift({ at, by, action, tenant: name, counts: { ...counts } });
    }
    return record;
  }

  async audit(limit: number): Promise<readonly AuditLine[]> {
    assertLimit(limit);
    return this.#lines.slice(0, limit);
  }
}
