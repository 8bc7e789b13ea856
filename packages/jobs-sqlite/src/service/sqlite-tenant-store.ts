import { type AuditLine, assertLimit, type TenantRecord, type TenantStore } from "@quire/contracts";
import type { Database, Row } from "../database/database.ts";
import { numberOrNull, textOrNull } from "../database/records.ts";
import type { Writer } from "../database/writer.ts";

/** Creates a tenant store in the file of a job store. The job store closes it. */
export function sqliteTenantStore(database: Database, writer: Writer): TenantStore {
  return new SqliteTenantStore(database, writer);
}

const SELECT = "SELECT name, suspended_at, erasing, quotas FROM tenant_account";

class SqliteTenantStore implements TenantStore {
  readonly #database: Database;
  readonly #writer: Writer;

  constructor(database: Database, writer: Writer) {
    this.#database = database;
    this.#writer = writer;
  }

  async find(name: string): Promise<TenantRecord | null> {
    const row = this.#database.get(`${SELECT} WHERE name = ?`, name);
    return row === undefined ? null : tenantRecord(row);
  }

  async list(): Promise<readonly TenantRecord[]> {
    return this.#database.all(`${SELECT} ORDER BY name`).map(tenantRecord);
  }

  async change(
    name: string,
    changes: Partial<Omit<TenantRecord, "name">>,
    line: Omit<AuditLine, "tenant"> | null,
  ): Promise<TenantRecord> {
    const database = this.#database;
    return this.#writer.write(() => {
      const row = database.get(`${SELECT} WHERE name = ?`, name);
      const before = row === undefined ? { ...NOTHING, name } : tenantRecord(row);
      const record = { ...before, ...changes, name };
      database.run(
        "INSERT OR REPLACE INTO tenant_account VALUES (?, ?, ?, ?)",
        name,
        record.suspendedAt,
        record.erasing,
        JSON.stringify(record.quotas),
      );
      if (line !== null) {
        database.run(
          "INSERT INTO audit (at, by_whom, action, tenant, counts) VALUES (?, ?, ?, ?, ?)",
          line.at,
          line.by,
          line.action,
          name,
          JSON.stringify(line.counts),
        );
      }
      return record;
    });
  }

  async audit(limit: number): Promise<readonly AuditLine[]> {
    assertLimit(limit);
    return this.#database
      .all("SELECT at, by_whom, action, tenant, counts FROM audit ORDER BY no DESC LIMIT ?", limit)
      .map((row) => ({
        at: Number(row.at),
        by: String(row.by_whom),
        action: String(row.action),
        tenant: String(row.tenant),
        counts: JSON.parse(String(row.counts)),
      }));
  }
}

const NOTHING = { suspendedAt: null, erasing: null, quotas: {} };

function tenantRecord(row: Row): TenantRecord {
  return {
    name: String(row.name),
    suspendedAt: numberOrNull(row.suspended_at),
    erasing: textOrNull(row.erasing),
    quotas: JSON.parse(String(row.quotas)),
  };
}
