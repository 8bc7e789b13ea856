import { type AuditLine, assertLimit, type TenantRecord, type TenantStore } from "@quire/contracts";
import type { Database, Row } from "../database/database.ts";
import { fromText, toText } from "../database/text.ts";

/** Creates a tenant store in a database. The creator of the database closes it. */
export function postgresTenantStore(database: Database): TenantStore {
  return new PostgresTenantStore(database);
}

const COLUMNS = "name, suspended_at, erasing, quotas";

class PostgresTenantStore implements TenantStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(name: string): Promise<TenantRecord | null> {
    const row = await this.#database.get(
      `SELECT ${COLUMNS} FROM quire.tenant_account WHERE name = $1`,
      [toText(name)],
    );
    return row === undefined ? null : tenantRecord(row);
  }

  async list(): Promise<readonly TenantRecord[]> {
    const rows = await this.#database.all(`SELECT ${COLUMNS} FROM quire.tenant_account`);
    return rows.map(tenantRecord).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async change(
    name: string,
    changes: Partial<Omit<TenantRecord, "name">>,
    line: Omit<AuditLine, "tenant"> | null,
  ): Promise<TenantRecord> {
    const { suspendedAt, erasing, quotas } = changes;
    const [row] = await this.#database.all(
      `WITH line AS (
         INSERT INTO quire.audit (at, by_whom, action, tenant, counts)
         SELECT $8::bigint, $9::text, $10::text, $1, $11::text WHERE $8::bigint IS NOT NULL
       )
       INSERT INTO quire.tenant_account AS known VALUES ($1, $2, $4, coalesce($6, '{}'))
       ON CONFLICT (name) DO UPDATE SET
         suspended_at = CASE WHEN $3::boolean THEN EXCLUDED.suspended_at ELSE known.suspended_at END,
         erasing = CASE WHEN $5::boolean THEN EXCLUDED.erasing ELSE known.erasing END,
         quotas = CASE WHEN $7::boolean THEN EXCLUDED.quotas ELSE known.quotas END
       RETURNING ${COLUMNS}`,
      [
        toText(name),
        ...[suspendedAt ?? null, suspendedAt !== undefined],
        ...[toText(erasing ?? null), erasing !== undefined],
        ...[quotas === undefined ? null : JSON.stringify(quotas), quotas !== undefined],
        ...(line === null
          ? [null, null, null, null]
          : [line.at, toText(line.by), toText(line.action), JSON.stringify(line.counts)]),
      ],
    );
    return tenantRecord(row ?? {});
  }

  async audit(limit: number): Promise<readonly AuditLine[]> {
    assertLimit(limit);
    const rows = await this.#database.all(
      "SELECT at, by_whom, action, tenant, counts FROM quire.audit ORDER BY no DESC LIMIT $1",
      [limit],
    );
    return rows.map((row) => ({
      at: row.at,
      by: fromText(row.by_whom),
      action: fromText(row.action),
      tenant: fromText(row.tenant),
      counts: JSON.parse(row.counts),
    }));
  }
}

function tenantRecord(row: Row): TenantRecord {
  return {
    name: fromText(row.name),
    suspendedAt: row.suspended_at,
    erasing: fromText(row.erasing),
    quotas: JSON.parse(row.quotas),
  };
}
