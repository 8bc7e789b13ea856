import {
  assertLimit,
  parseMarker,
  type RecordPage,
  type TemplateQuery,
  type TemplateRecord,
  type TemplateStore,
  toMarker,
} from "@quire/contracts";
import type { Database, Row } from "../database/database.ts";
import { fromText, toText } from "../database/text.ts";

/** Creates a template store in a database. The creator of the database closes it. */
export function postgresTemplateStore(database: Database): TemplateStore {
  return new PostgresTemplateStore(database);
}

const COLUMNS = "no, tenant, file_id, marked_by, marked_at";

class PostgresTemplateStore implements TemplateStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async mark(template: Omit<TemplateRecord, "markedAt">): Promise<TemplateRecord> {
    const { tenant, fileId, markedBy } = template;
    // An update without a change, because "DO NOTHING" would not return the record.
    const [row] = await this.#database.all(
      `INSERT INTO quire.template (tenant, file_id, marked_by, marked_at) VALUES ($1, $2, $3, quire.clock())
       ON CONFLICT (tenant, file_id) DO UPDATE SET file_id = EXCLUDED.file_id RETURNING ${COLUMNS}`,
      [toText(tenant), toText(fileId), toText(markedBy)],
    );
    return templateRecord(row ?? {});
  }

  async unmark(tenant: string, fileId: string): Promise<boolean> {
    const removed = await this.#database.all(
      "DELETE FROM quire.template WHERE tenant = $1 AND file_id = $2 RETURNING no",
      [toText(tenant), toText(fileId)],
    );
    return removed.length === 1;
  }

  async find(tenant: string, fileId: string): Promise<TemplateRecord | null> {
    const row = await this.#database.get(
      `SELECT ${COLUMNS} FROM quire.template WHERE tenant = $1 AND file_id = $2`,
      [toText(tenant), toText(fileId)],
    );
    return row === undefined ? null : templateRecord(row);
  }

  async list(
    tenant: string,
    { limit, marker }: TemplateQuery,
  ): Promise<RecordPage<TemplateRecord>> {
    assertLimit(limit);
    const listing = `templates ${tenant}`;
    const [before = Number.MAX_SAFE_INTEGER] = parseMarker(listing, marker, ["number"]);
    const rows = await this.#database.all(
      `SELECT ${COLUMNS} FROM quire.template WHERE tenant = $1 AND no < $2 ORDER BY no DESC LIMIT $3`,
      [toText(tenant), before, limit + 1],
    );
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      items: page.map(templateRecord),
      nextMarker: last ? toMarker(listing, [last.no]) : null,
    };
  }

  async eraseTenant(tenant: string): Promise<number> {
    const [row] = await this.#database.all(
      `WITH gone AS (DELETE FROM quire.template WHERE tenant = $1 RETURNING no)
       SELECT count(*) AS count FROM gone`,
      [toText(tenant)],
    );
    return row?.count ?? 0;
  }
}

function templateRecord(row: Row): TemplateRecord {
  return {
    tenant: fromText(row.tenant),
    fileId: fromText(row.file_id),
    markedBy: fromText(row.marked_by),
    markedAt: row.marked_at,
  };
}
