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
import { textOrNull } from "../database/records.ts";
import type { Writer } from "../database/writer.ts";

/** Creates a template store in the file of a job store. The job store closes it. */
export function sqliteTemplateStore(database: Database, writer: Writer): TemplateStore {
  return new SqliteTemplateStore(database, writer);
}

const COLUMNS = "no, tenant, file_id, marked_by, marked_at";

class SqliteTemplateStore implements TemplateStore {
  readonly #database: Database;
  readonly #writer: Writer;

  constructor(database: Database, writer: Writer) {
    this.#database = database;
    this.#writer = writer;
  }

  async mark(template: Omit<TemplateRecord, "markedAt">): Promise<TemplateRecord> {
    const { tenant, fileId, markedBy } = template;
    return this.#writer.write(() => {
      const markedAt = Date.now();
      this.#database.run(
        "INSERT OR IGNORE INTO template (tenant, file_id, marked_by, marked_at) VALUES (?, ?, ?, ?)",
        tenant,
        fileId,
        markedBy,
        markedAt,
      );
      return this.#find(tenant, fileId) ?? { tenant, fileId, markedBy, markedAt };
    });
  }

  async unmark(tenant: string, fileId: string): Promise<boolean> {
    return this.#writer.write(
      () =>
        this.#database.run(
          "DELETE FROM template WHERE tenant = ? AND file_id = ?",
          tenant,
          fileId,
        ) === 1,
    );
  }

  async eraseTenant(tenant: string): Promise<number> {
    return this.#writer.write(() =>
      this.#database.run("DELETE FROM template WHERE tenant = ?", tenant),
    );
  }

  async find(tenant: string, fileId: string): Promise<TemplateRecord | null> {
    return this.#find(tenant, fileId);
  }

  #find(tenant: string, fileId: string): TemplateRecord | null {
    const row = this.#database.get(
      `SELECT ${COLUMNS} FROM template WHERE tenant = ? AND file_id = ?`,
      tenant,
      fileId,
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
    const rows = this.#database.all(
      `SELECT ${COLUMNS} FROM template INDEXED BY template_order
       WHERE tenant = ? AND no < ? ORDER BY no DESC LIMIT ?`,
      tenant,
      before,
      limit + 1,
    );
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      items: page.map(templateRecord),
      nextMarker: last ? toMarker(listing, [Number(last.no)]) : null,
    };
  }
}

function templateRecord(row: Row): TemplateRecord {
  return {
    tenant: String(row.tenant),
    fileId: String(row.file_id),
    markedBy: textOrNull(row.marked_by),
    markedAt: Number(row.marked_at),
  };
}
